// The page of a game: the server's state in, one player's acts out. Drawing is board.js, hands are input.js.
import { Board } from './board.js';
import { Input } from './input.js';
import { Live, get, newKey, post } from './net.js';
import { sound, setSound, unlock, on as soundOn } from './sound.js';
import { Turn, opposite, turned, typed } from './turn.js';

const $ = id => document.getElementById(id);
const json = id => JSON.parse($(id).textContent);
const GUARD = 350, OWN = 130, THEIRS = 280, PAUSE = 90;

const root = $('game'), texts = json('texts'), look = json('look');
const board = new Board($('board'), look);
const plural = new Intl.PluralRules(document.documentElement.lang);
const title = document.title;
const wish = name => localStorage.getItem(name);

let state = null;        // the server's last word
let turn = null;         // my turn while it is being put together
let selected = null;
let sending = false;     // a command is on its way: nothing else may be pressed
let up = true;
let swapped = false;     // one-tap mode: the left die is the lower one
let clocksAt = performance.now();
let shownAt = new Map(); // when a control became usable: presses within GUARD ms are ignored
let lowSaid = false;

// ---- words

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
const count = (forms, n) => fill(forms[plural.select(n)] ?? forms.other ?? Object.values(forms)[0], { n });
const pointName = point => point === 25 ? texts.bar25 : point === 0 ? texts.offWord : String(point);

/** The same sentence must be spoken again: an invisible mark makes it a new text. */
function say(text, urgent = false) {
  const region = $(urgent ? 'urgent' : 'polite');
  if (text) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

function toast(text, ms = 1600) {
  const box = $('toast');
  box.textContent = text;
  box.classList.add('on');
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.classList.remove('on'), ms);
}

// ---- the server's state

const me = () => state.game.you, them = () => me() === 'white' ? 'black' : 'white';
const positionOf = game => ({ mine: game.points[me()], theirs: game.points[them()], myPinned: game.pinned[me()], theirPinned: game.pinned[them()] });

/** Takes a new state; older ones are ignored. Shows the opponent's turn as movement if this page saw the one before. */
async function take(next, { animate = true } = {}) {
  if (!next?.game || (state && next.game.version < state.game.version)) return;
  const before = state;
  const same = before && next.game.version === before.game.version;
  state = next;
  clocksAt = performance.now();
  if (same && turn) { place(next); return; }
  input.release();
  selected = null;
  turn = null;
  const last = next.game.last_turn, fresh = before && last && next.turns > before.turns && last.side !== me();
  if (before && !same) noises(before.game, next.game);
  if (fresh && animate && next.turns === before.turns + 1) {
    board.mark({});
    board.dice(last.dice, false, [], true);
    await board.play(last.steps, false, THEIRS, PAUSE);
    if (state !== next) return;
  }
  turn = next.game.may.play ? new Turn(next.game.turns, positionOf(next.game), look) : null;
  const rolled = before && next.game.dice && (!before.game.dice || next.turns > before.turns);
  place(next);
  draw(rolled);
  if (before && !same) { say(next.aloud.polite); say(next.aloud.urgent, true); }
  if (fresh && last.steps.length === 0) toast(texts.noMove, 1200);
  if (before && !same && noMoveOfMine(before, next)) toast(texts.noMove, 1600);
  autoRoll();
}

const noMoveOfMine = (before, next) => {
  const last = next.game.last_turn;
  return before.game.phase === 'roll' && before.game.turn === me() && last?.side === me() && last.steps.length === 0 && next.turns > before.turns;
};

function noises(before, after) {
  if (after.result && !before.result) sound('end');
  else if (after.cube.offered && !before.cube.offered) sound('double');
  else if (after.to_act === me() && before.to_act !== me()) sound('turn');
}

const placed = new Map();

/** Puts the parts that the server has written into their places, only those that changed. */
function place(next) {
  for (const [name, html] of Object.entries(next.parts)) {
    const box = root.querySelector(`[data-part=${name}]`), plain = html.replace(/<input[^>]*csrf[^>]*>/g, ''), first = !placed.has(name);
    if (placed.get(name) === plain) continue;
    placed.set(name, plain);
    const held = box.contains(document.activeElement);
    if (!first) box.innerHTML = html; // the first time, the page itself has it
    if (held && !box.contains(document.activeElement)) root.querySelector('#points [tabindex="0"]').focus({ preventScroll: true });
    for (const button of box.querySelectorAll('[data-act]')) shownAt.set(button.dataset.act, performance.now());
    if (name === 'moves') box.scrollTop = box.scrollHeight;
  }
  for (const [side, seat] of Object.entries(next.seats)) {
    const strip = root.querySelector(`[data-seat=${side}]`);
    strip.classList.toggle('on', seat.on_turn);
    strip.querySelector('[data-pips]').textContent = seat.pips;
    strip.querySelector('[data-off-count]').textContent = seat.off;
    strip.querySelector('[data-cube]').textContent = seat.cube ?? '';
  }
  root.classList.toggle('over', Boolean(next.game.result));
  const purse = document.querySelector('[data-available]');
  if (purse && next.purse) purse.textContent = next.purse;
  document.title = `${next.game.to_act === me() && !next.game.result ? '● ' : ''}${title}`;
}

// ---- drawing

function draw(rolling = false) {
  const game = state.game, position = turn ? turn.position() : positionOf(game);
  board.draw(position);
  if (game.dice) board.dice(diceInOrder(), game.turn === me(), turn ? turn.used() : [], rolling);
  else if (game.last_turn && !game.result) board.dice(game.last_turn.dice, game.last_turn.side === me(), game.last_turn.dice[0] === game.last_turn.dice[1] ? Array(4).fill(game.last_turn.dice[0]) : game.last_turn.dice);
  else board.dice(null);
  if (rolling) sound('roll');
  board.cube(game.cube.value, game.cube.owner, game.cube.offered);
  marks();
  controls();
}

function diceInOrder() {
  const [a, b] = state.game.dice, high = Math.max(a, b), low = Math.min(a, b);
  return swapped ? [low, high] : [high, low];
}

function marks() {
  const last = state.game.last_turn, open = turn && !sending && up;
  const targets = open && selected !== null ? turn.destinations(selected) : new Map();
  const show = {
    selected: open ? selected : null,
    to: [...targets].map(([point, routes]) => ({ point, hit: routes.some(route => route.at(-1)[3]) && look.hasBar || blot(point) })),
  };
  if (turn?.path.length) Object.assign(show, ends(turn.path), { lastMine: true });
  else if (last && selected === null) Object.assign(show, ends(last.steps), { lastMine: last.side === me() });
  board.mark(show);
  $('off-box')?.classList.toggle('target', targets.has(0));
  $('points').classList.toggle('bearing', targets.has(0));
  labels(targets);
}

/** Where a turn began and where it ended: stops on the way are neither. */
function ends(steps) {
  const from = [], landed = [];
  for (const [start, end] of steps) {
    const stop = landed.indexOf(start);
    if (stop >= 0) landed.splice(stop, 1); else from.push(start);
    landed.push(end);
  }
  return { from, landed };
}

const blot = point => point > 0 && point < 25 && (turn?.position().theirs[opposite(point, look.long)] ?? 0) === 1 && !look.long;

function labels(targets) {
  const position = turn ? turn.position() : positionOf(state.game);
  const origins = turn && up && !sending ? turn.origins() : [];
  for (const point of input.buttons.keys()) {
    const name = point === 25 ? texts.bar : point === 0 ? texts.off : fill(texts.point, { point });
    const words = [name];
    const mine = position.mine[point], theirs = point === 25 || point === 0 ? 0 : position.theirs[opposite(point, look.long)];
    if (mine) words.push(count(texts.mine, mine) + (position.myPinned.includes(point) ? `, ${texts.pinned}` : ''));
    if (theirs) words.push(count(texts.theirs, theirs) + (point && position.theirPinned.includes(opposite(point, look.long)) ? `, ${texts.pinned}` : ''));
    if (!mine && !theirs) words.push(texts.empty);
    if (point === selected) words.push(texts.selected);
    if (targets.has(point)) words.push(targets.get(point)[0].at(-1)[3] && look.hasBar ? texts.destinationHit : texts.destination);
    else if (origins.includes(point)) words.push(fill(texts.canMove, { points: [...turn.destinations(point).keys()].map(pointName).join(', ') }));
    input.label(point, words.join(', '), origins.includes(point) || targets.has(point));
  }
}

function enable(button, usable) {
  if (!button) return;
  if (usable && button.disabled) shownAt.set(button.id, performance.now());
  button.disabled = !usable;
}

function controls() {
  const may = state.game.may, free = up && !sending;
  enable($('undo'), free && Boolean(turn?.path.length));
  enable($('undo-all'), free && Boolean(turn?.path.length));
  enable($('double'), free && may.double);
  const main = $('main-act');
  const confirming = Boolean(turn);
  const name = confirming ? 'play' : 'roll';
  if (main.dataset.does !== name) {
    main.dataset.does = name;
    main.textContent = confirming ? texts.confirm : texts.roll;
    shownAt.set('main-act', performance.now());
  }
  enable(main, free && (confirming ? turn.complete : may.roll));
  $('resign-open').hidden = !may.resign;
  for (const button of root.querySelectorAll('.panel [data-act]')) button.disabled = !free;
}

const guarded = name => performance.now() - (shownAt.get(name) ?? 0) < GUARD;

// ---- my turn

function select(point) { selected = point; marks(); }

function tap(point) {
  unlock();
  if (!turn || sending || !up) return;
  if (selected !== null) {
    const routes = turn.destinations(selected).get(point);
    if (routes) { go(routes); return; }
    if (point === selected) { select(null); return; }
  }
  if (!turn.origins().includes(point)) { if (selected !== null) select(null); return; }
  if (wish('input') === 'one') { oneTap(point); return; }
  select(point);
}

/** One tap plays the left die, or the other one where the left cannot be played from there. */
function oneTap(point) {
  const left = diceInOrder().find(die => die && !spent(die)) ?? 0;
  const steps = turn.steps.filter(step => step[0] === point);
  go([[steps.find(step => step[2] === left) ?? steps[0]]]);
}

function spent(die) {
  const [a, b] = state.game.dice;
  return a !== b && turn.used().includes(die);
}

function drop(from, to) {
  select(null);
  if (!turn || sending || !up || to === null || to === from) return;
  const routes = turn.destinations(from).get(to);
  if (routes) go(routes, true); else if (turn.origins().includes(from)) select(from);
}

async function go(routes, dragged = false) {
  if (routes.length > 1) { askWay(routes); return; }
  const [route] = routes;
  selected = null;
  board.mark({});
  turn.play(route);
  sound(route.some(step => step[3]) ? 'hit' : route.at(-1)[1] === 0 ? 'off' : 'move');
  const mine = turn;
  if (!dragged) await board.play(route, true, OWN);
  if (turn !== mine) return;
  draw();
  const step = [route[0][0], route.at(-1)[1]];
  say((step[1] === 0 ? fill(texts.movedOff, { from: pointName(step[0]) }) : fill(texts.moved, { from: pointName(step[0]), to: step[1] })) + (turn.complete ? ` ${texts.complete}` : ''));
}

/** Several ways to the same point with different results: the player says which. */
function askWay(routes) {
  const box = $('routes'), inner = document.createElement('div'), title = document.createElement('p');
  title.textContent = texts.chooseWay;
  inner.append(title);
  for (const route of routes) {
    const button = document.createElement('button'), hits = route.slice(0, -1).some(step => step[3]);
    button.className = 'btn';
    button.textContent = fill(hits ? texts.viaHits : texts.via, { points: route.slice(0, -1).map(step => step[1]).join(', ') });
    button.addEventListener('click', () => { box.hidden = true; go([route]); });
    inner.append(button);
  }
  box.replaceChildren(inner);
  box.hidden = false;
  inner.querySelector('button').focus();
  box.onclick = event => { if (event.target === box) { box.hidden = true; select(null); } };
  box.onkeydown = event => { if (event.key === 'Escape') { box.hidden = true; select(null); input.focus(routes[0][0][0], true); } };
}

function undo(all = false) {
  if (!turn?.path.length || sending) return;
  if (all) turn.clear(); else turn.undo();
  selected = null;
  draw();
  say(texts.undone);
}

// ---- commands

async function act(action, extra = {}) {
  if (sending || !up) return;
  sending = true;
  const version = state.game.version, path = turn && [...turn.path];
  controls();
  marks();
  const { status, data } = await post(root.dataset.act, { version, action, key: newKey(), ...extra });
  sending = false;
  if ([401, 403, 404].includes(status)) { location.reload(); return; }
  if (status === 200) { await take(data); catchUp(); return; }
  if (status === 409) {
    turn = null;
    await take(data, { animate: false });
    toast(path?.length ? texts.rolledBack : data.message, 3500);
    say(data.message, true);
  } else if (!data?.message) {
    line(false, texts.notSent);
    await refresh();
  } else {
    toast(data.message, 3500);
    say(data.message, true);
    if (turn) turn.clear();
  }
  draw();
}

function main() {
  if ($('main-act').disabled || guarded('main-act')) return;
  unlock();
  if (turn) { if (turn.complete) act('play', { play: turn.notation() }); } else act('roll');
}

function offerDouble() {
  if (!$('double') || $('double').disabled || guarded('double')) return;
  $('double-words').textContent = state.double;
  open('confirm-double');
}

function open(id) {
  const dialog = $(id);
  for (const button of dialog.querySelectorAll('[data-act]')) shownAt.set(button.dataset.act, performance.now());
  dialog.showModal();
  // No button is chosen beforehand: Enter pressed out of habit must not decide about money.
  dialog.querySelector('h2').tabIndex = -1;
  dialog.querySelector('h2').focus();
}

document.addEventListener('click', event => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.hasAttribute('data-close')) button.closest('dialog').close();
  if (button.id === 'double') { offerDouble(); return; }
  if (button.dataset.act) {
    if (guarded(button.dataset.act)) return;
    button.closest('dialog')?.close();
    act(button.dataset.act);
  }
});
$('main-act').addEventListener('click', main);
$('undo').addEventListener('click', () => undo());
$('undo-all').addEventListener('click', () => undo(true));
$('off-box')?.addEventListener('click', () => tap(0));
$('menu-open').addEventListener('click', () => open('menu'));
$('help-open').addEventListener('click', () => { $('menu').close(); open('help'); });
$('resign-open').addEventListener('click', () => { $('menu').close(); $('resign-words').textContent = state.resign; open('resign'); });
$('typed').addEventListener('submit', event => {
  event.preventDefault();
  const box = $('typed-move'), text = box.value.trim();
  if (!text) { main(); return; }
  if (!turn || !typed(turn, text)) { toast(fill(texts.badMove, { text }), 2500); say(fill(texts.badMove, { text }), true); return; }
  box.value = '';
  selected = null;
  draw();
  if (turn.complete) say(texts.complete);
});

function key(name, point) {
  const pressed = name.toLowerCase();
  if (pressed === 'enter' && turn?.complete && selected === null) { main(); return true; }
  const calls = {
    escape: () => select(null), backspace: () => undo(), r: () => { if (!turn) main(); }, d: offerDouble, s: swap, '?': () => open('help'),
    l: replay, c: () => say(fill(texts.clocks, { mine: face(left(me())), theirs: face(left(them())) })),
    p: () => say(fill(texts.pips, { mine: state.game.pips[me()], theirs: state.game.pips[them()] })),
  };
  if (!calls[pressed]) return false;
  calls[pressed](point);
  return true;
}

/** A tap on the dice confirms a complete turn; before that it swaps them. */
function tapDice() { if (turn?.complete) main(); else if (turn) swap(); }

function swap() { swapped = !swapped; draw(); }

async function replay() {
  const last = state.game.last_turn;
  if (!last || turn?.path.length) return;
  const mine = last.side === me(), now = positionOf(state.game);
  let before = mine ? now : turned(now);
  for (const [from, to, , hits] of [...last.steps].reverse()) before = back(before, from, to, hits);
  board.draw(mine ? before : turned(before));
  await board.play(last.steps, mine, THEIRS, PAUSE);
  draw();
}

function back(position, from, to, hits) {
  const mine = [...position.mine], theirs = [...position.theirs];
  mine[to] -= 1; mine[from] += 1;
  let theirPinned = position.theirPinned;
  if (hits && look.hasBar) { theirs[25] -= 1; theirs[opposite(to, look.long)] += 1; }
  if (hits && !look.hasBar) theirPinned = theirPinned.filter(point => point !== opposite(to, look.long));
  return { ...position, mine, theirs, theirPinned };
}

function autoRoll() {
  const may = state.game.may;
  if (wish('auto-roll') !== 'on' || !may.roll || may.double || sending) return;
  const version = state.game.version;
  setTimeout(() => { if (state.game.version === version && state.game.may.roll && !sending) act('roll'); }, 500);
}

// ---- clocks

/** Milliseconds left of a side's reserve and of its free time, as the server counts them now. */
function reckon(side) {
  const clock = state.game.clock;
  const passed = clock.running === side && !sending && up ? performance.now() - clocksAt : 0;
  const free = clock.running === side ? Math.max(0, clock.delay_left_ms - passed) : 0;
  const used = clock.running === side ? Math.max(0, passed - clock.delay_left_ms) : 0;
  return { left: Math.max(0, clock[`${side}_ms`] - used), free };
}
const left = side => reckon(side).left;

function face(ms) {
  const seconds = Math.floor(ms / 1000), minutes = Math.floor(seconds / 60), hours = Math.floor(seconds / 3600), two = n => String(n).padStart(2, '0');
  if (ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  if (!state) return;
  for (const side of ['white', 'black']) {
    const { left: ms, free } = reckon(side), strip = root.querySelector(`[data-seat=${side}]`), time = strip.querySelector('[data-time]'), small = strip.querySelector('[data-free]');
    const text = face(ms), extra = free > 0 ? fill(texts.free, { seconds: Math.ceil(free / 1000) }) : '';
    if (time.textContent !== text) time.textContent = text;
    if (small.textContent !== extra) small.textContent = extra;
    strip.querySelector('.clock').classList.toggle('low', ms < 10000 && state.game.clock.running === side);
    if (side === me() && state.game.clock.running === side && ms < 10000 && free === 0 && !lowSaid) { lowSaid = true; sound('low'); say(texts.lowTime, true); }
  }
  if (state.game.clock.running !== me()) lowSaid = false;
}
setInterval(tick, 100);

// ---- the line

function line(isUp, words = texts.offline) {
  const wire = $('wire');
  wire.classList.toggle('on', !isUp);
  wire.textContent = isUp ? '' : words;
  if (up !== isUp) { up = isUp; input.release(); if (!isUp) say(words, true); if (state) { controls(); marks(); } }
}

let newest = 0;
/** What was announced while a command was on its way. */
function catchUp() { if (newest > state.game.version && !sending) refresh(); }

let refreshing = false;
async function refresh() {
  if (refreshing) return;
  refreshing = true;
  const seamless = up, { status, data } = await get(root.dataset.state);
  refreshing = false;
  if (status === 401 || status === 404) { location.reload(); return; }
  if (status === 200) { line(true); await take(data, { animate: seamless }); } else setTimeout(refresh, 2000);
}

new Live({
  url: root.dataset.live, name: `game ${json('data').game.id} ${me0()}`,
  topics: [`game:${json('data').game.id}`, `table:${json('data').game.table}`],
  changed(topic, version) {
    if (topic === '*') { refresh(); return; }
    if (topic.startsWith('game:')) { newest = Math.max(newest, version); catchUp(); }
    if (topic.startsWith('table:') && state.game.result) nextGame();
  },
  state(isUp, failures) {
    if (isUp && !up) refresh();
    else if (!isUp) { line(false); if (failures >= 3) fallBack(failures); }
  },
});
function me0() { return json('data').game.you; }

/** Without a stream the page still works by asking. If the server answers well, the pass has expired: a new page has a new one. */
async function fallBack(failures) {
  await refresh();
  if (up && failures >= 5 && !turn?.path.length && !sending) location.reload();
}

/** After the end: when the other side leaves, or the next game has begun, the page follows. */
async function nextGame() {
  const { status, data } = await get(root.dataset.table);
  if (status === 200 && data.go && !data.go.endsWith(`/games/${state.game.id}/`)) location.assign(data.go);
  else refresh();
}

/** Says that this player is here, and hears whether the other one is. */
async function ping() {
  const { status, data } = await post(root.dataset.ping, {}, 1);
  if (status === 200) root.querySelector(`[data-seat=${them()}] [data-away]`).hidden = !data.away;
}
setInterval(ping, 15000);

// ---- settings

function cookie(flag) {
  const now = /(?:^|; )board=(\w*)/.exec(document.cookie)?.[1] ?? '';
  const next = now.includes(flag) ? now.replace(flag, '') : now + flag;
  document.cookie = `board=${next};path=/;max-age=31536000;samesite=lax`;
  location.reload();
}
for (const button of document.querySelectorAll('[data-toggle]')) button.addEventListener('click', () => cookie(button.dataset.toggle[0]));
for (const name of ['input', 'speed']) {
  for (const box of document.querySelectorAll(`[name=${name}]`)) {
    if (wish(name) === box.value) box.checked = true;
    box.addEventListener('change', () => { localStorage.setItem(name, box.value); board.speed = Number(wish('speed') ?? 1); });
  }
}
board.speed = Number(wish('speed') ?? 1);
$('sound').checked = soundOn;
$('sound').addEventListener('change', event => setSound(event.target.checked));
$('auto-roll').checked = wish('auto-roll') === 'on';
$('auto-roll').addEventListener('change', event => localStorage.setItem('auto-roll', event.target.checked ? 'on' : 'off'));

const input = new Input($('points'), board, { tap, drop, key, dice: tapDice, grab: point => Boolean(turn) && !sending && up && turn.origins().includes(point) && (select(point), true) });
addEventListener('pointerdown', unlock, { once: true });
matchMedia('(max-width: 700px)').addEventListener('change', () => draw());
take(json('data'));
