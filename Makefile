# make run | test | lint | bench | setup. Works from any folder (make -C), as root or not. See README.md.
SHELL := /bin/sh
HERE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
PYTHON ?= python3
export PORT ?= 8000
ifdef DATA_DIR
export DATA_DIR
endif
BIN := $(HERE).venv/bin
REQUIREMENTS := $(HERE)requirements.txt $(HERE)requirements-dev.txt
# Should make itself be killed, the kernel tells what it started.
TIED := $(shell command -v setpriv >/dev/null && echo setpriv --pdeathsig TERM)
.PHONY: run setup test lint format bench soak messages
.DEFAULT_GOAL := run

run: setup
	@cd '$(HERE)' && DEMO=1 exec $(TIED) '$(BIN)/python' manage.py serve

setup: $(HERE).venv/ready

# The stamp is written last, so half a .venv never counts: it is made anew.
$(HERE).venv/ready: $(REQUIREMENTS)
	@'$(PYTHON)' -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'Python 3.11 or newer with venv is needed (Debian: apt install python3-venv), or say which: make PYTHON=python3.12' >&2; exit 1; }
	@echo 'Setting up .venv …'
	@test -f '$@' || '$(PYTHON)' -m venv --clear '$(HERE).venv'
	@'$(BIN)/python' -m pip install --quiet --disable-pip-version-check --no-input -r '$(HERE)requirements-dev.txt'
	@touch '$@'

test: setup
	@cd '$(HERE)' && exec '$(BIN)/python' -m pytest -n auto --dist worksteal $(ARGS)

lint: setup
	@cd '$(HERE)' && PATH='$(BIN)':"$$PATH" && set -e; \
	  ruff check .; ruff format --check .; mypy; lint-imports; \
	  djlint --lint --quiet templates; \
	  python -m nardy_platform.mo --check; \
	  python manage.py makemigrations --check --dry-run

format: setup
	@cd '$(HERE)' && PATH='$(BIN)':"$$PATH" && ruff check --fix . ; ruff format .

bench: setup
	@cd '$(HERE)' && exec '$(BIN)/python' -m bench $(ONLY)

soak: setup
	@cd '$(HERE)' && '$(BIN)/python' manage.py simulate --faults --games $(or $(GAMES),2000) --players 16 --tournament 16 --seed $(or $(SEED),1)
	@cd '$(HERE)' && exec '$(BIN)/python' -m bench._soak

# Collects the texts to translate (needs Debian's gettext) and compiles what is translated.
messages: setup
	@cd '$(HERE)' && '$(BIN)/python' manage.py makemessages -l uk -l ru -i .venv -i build && '$(BIN)/python' -m nardy_platform.mo
