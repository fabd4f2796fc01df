// The form of a new table: shows what a variant offers and, worked out by the server, what the terms block.

const form = document.getElementById('table-form');
const offered = JSON.parse(document.getElementById('offered').textContent);
const meanings = JSON.parse(document.getElementById('meanings').textContent);
const hold = document.getElementById('hold');
const always = hold.innerHTML;
let timer = 0, asked = 0;

function fit() {
  const variant = form.elements.variant.value, offer = offered[variant];
  document.getElementById('variant-words').textContent = meanings[variant];
  for (const box of form.querySelectorAll('[data-option]')) box.hidden = !offer.options.includes(box.dataset.option);
  const ends = [...form.querySelectorAll('[name=endgame]')];
  for (const end of ends) end.disabled = !offer.endgames.includes(end.value);
  if (ends.find(end => end.checked)?.disabled) ends.filter(end => !end.disabled).at(-1).checked = true;
  document.getElementById('cube-options').hidden = form.elements.cube_limit.value === '1';
}

async function ask() {
  const mine = ++asked;
  if (!form.elements.stake.value.trim()) { hold.innerHTML = always; return; }
  const query = new URLSearchParams(new FormData(form));
  query.delete('csrfmiddlewaretoken');
  const response = await fetch(`${form.dataset.hold}?${query}`, { credentials: 'same-origin', headers: { Accept: 'application/json' } }).catch(() => null);
  if (!response || mine !== asked) return;
  const data = await response.json().catch(() => ({}));
  if (data.html) hold.innerHTML = data.html;
  else { const words = document.createElement('p'); words.className = 'note warning small'; words.textContent = data.message ?? ''; hold.replaceChildren(words); }
}

form.addEventListener('input', () => { fit(); clearTimeout(timer); timer = setTimeout(ask, 250); });
fit();
ask();
