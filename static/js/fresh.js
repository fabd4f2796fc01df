// Keeps a part of a page fresh: the lobby's list, or a table. The server draws it; this puts it in its place.
import { Live, post } from './net.js';

const part = document.querySelector('[data-live][data-topic]');
let busy = false, again = false, seen = -1;

/** A part that is being used (an open select, a field with text in it) is not replaced under the hands. */
const inUse = () => part.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);

async function fetchPart() {
  if (busy) { again = true; return; }
  busy = true;
  const response = await fetch(part.dataset.url, { credentials: 'same-origin', headers: { Accept: 'text/html, application/json' } }).catch(() => null);
  busy = false;
  if (response?.ok) {
    if (response.headers.get('Content-Type').includes('json')) {
      const data = await response.json();
      if (data.go) { location.assign(data.go); return; }
      place(data.html);
    } else place(await response.text());
  } else if (response?.status === 404 || response?.status === 401) { location.reload(); return; }
  if (again) { again = false; fetchPart(); }
}

function place(html) {
  if (inUse()) { setTimeout(fetchPart, 2000); return; }
  const focused = document.activeElement?.closest?.('a, button')?.textContent;
  part.innerHTML = html;
  if (focused) [...part.querySelectorAll('a, button')].find(element => element.textContent === focused)?.focus();
}

new Live({
  url: part.dataset.live, name: part.dataset.topic, topics: [part.dataset.topic],
  changed(topic, version) {
    if (topic !== '*' && topic !== part.dataset.topic) return;
    if (version <= seen && topic !== '*') return;
    const first = seen < 0 && topic !== '*';
    if (topic !== '*') seen = version;
    // The first message only says which version this page already shows, give or take a moment.
    if (!first || performance.now() > 4000) fetchPart(); else setTimeout(fetchPart, 300);
  },
  state(up, failures) { if (failures >= 4 && !inUse()) fetchPart().then(() => { if (failures >= 6) location.reload(); }); },
});

if (part.dataset.ping) setInterval(() => post(part.dataset.ping, {}, 1), 15000);
// The lobby also forgets creators who went away without a word.
if (part.dataset.topic === 'lobby') setInterval(() => { if (document.visibilityState === 'visible') fetchPart(); }, 20000);
part.addEventListener('change', event => { if (event.target.matches('[data-auto]')) event.target.form.requestSubmit(); });
