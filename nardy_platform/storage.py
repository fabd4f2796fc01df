"""Static files with a digest in each name, so that browsers keep them for good, where a script imports another too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
