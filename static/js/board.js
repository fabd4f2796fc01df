// Draws on the SVG that the server has drawn. Geometry as in games/board_svg.py: change it in both.
import { opposite, after, turned } from './turn.js';

const WIDTH = 1500, HEIGHT = 1180, MIDDLE = 590, EDGE = 30, STEP = 100, CHECKER = 92, MOST = 5;
const SPOT = { a: [-20, -20], b: [20, -20], c: [0, 0], d: [-20, 0], f: [20, 0], g: [-20, 20], i: [20, 20] };
const PIPS = [, 'c', 'ai', 'aci', 'agbi', 'agcbi', 'agdfbi'];
const PHONE = matchMedia('(max-width: 700px)');
const CALM = matchMedia('(prefers-reduced-motion: reduce)');

export class Board {
  /** `look`: {side, long, hasBar, mirrored, swapped}; `box` holds the <svg> and the buttons. */
  constructor(box, look) {
    this.svg = box.querySelector('svg');
    this.look = look;
    const white = (look.side === 'white') !== look.swapped;
    this.colours = white ? ['cl', 'cd'] : ['cd', 'cl'];
    this.part = Object.fromEntries(['up', 'low'].map(half => [half, {
      under: this.svg.querySelector(`.${half} .under`), men: this.svg.querySelector(`.${half} .men`), over: this.svg.querySelector(`.${half} .over`),
    }]));
    this.speed = 1;
  }

  get moves() { return this.speed > 0 && !CALM.matches && document.visibilityState === 'visible'; }

  // ---- places

  x(point) {
    if (point === 25) return this.look.mirrored ? WIDTH - 675 : 675;
    if (point === 0) return this.look.mirrored ? WIDTH - 1411 : 1411;
    const column = point <= 12 ? 12 - point : point - 13;
    const x = EDGE + STEP / 2 + column * STEP + (column > 5 ? 90 : 0);
    return this.look.mirrored ? WIDTH - x : x;
  }

  y(point, index, mine = true) {
    if (point === 25) return mine ? MIDDLE - 130 - Math.min(index, 3) * CHECKER : MIDDLE + 130 + Math.min(index, 3) * CHECKER;
    if (point === 0) return mine ? 1134 - index * 24 : 46 + index * 24;
    const away = EDGE + CHECKER / 2 + 2 + Math.min(index, MOST - 1) * CHECKER;
    return point <= 12 ? HEIGHT - away : away;
  }

  half(point, mine = true) {
    if (point === 25) return mine ? 'up' : 'low';
    if (point === 0) return mine ? 'low' : 'up';
    return point > 12 ? 'up' : 'low';
  }

  /** The checkers of one point from the rim inwards: [colour, pinned, mine]. */
  stack(position, point) {
    const there = opposite(point, this.look.long);
    const pinned = position.theirPinned.includes(there);
    const mine = Array.from({ length: position.mine[point] }, () => [this.colours[0], position.myPinned.includes(point), true]);
    const theirs = point === 25 ? [] : Array.from({ length: position.theirs[there] }, () => [this.colours[1], pinned, false]);
    return pinned ? [...theirs, ...mine] : [...mine, ...theirs];
  }

  // ---- drawing

  draw(position) {
    this.position = position;
    for (const half of ['up', 'low']) this.part[half].men.replaceChildren();
    for (let point = 1; point <= 24; point++) this.drawStack(point, this.stack(position, point), true);
    this.drawStack(25, this.stack(position, 25), true);
    this.drawStack(25, Array.from({ length: position.theirs[25] }, () => [this.colours[1], false, false]), false);
    const off = this.svg.querySelector('.off');
    off.replaceChildren();
    const x = this.x(0) - 48;
    for (let i = 0; i < position.mine[0]; i++) off.append(svg('rect', { class: `slab ${this.colours[0]}`, x, y: 1124 - i * 24, width: 96, height: 20, rx: 4 }));
    for (let i = 0; i < position.theirs[0]; i++) off.append(svg('rect', { class: `slab ${this.colours[1]}`, x, y: 36 + i * 24, width: 96, height: 20, rx: 4 }));
  }

  drawStack(point, stack, mine) {
    const men = this.part[this.half(point, mine)].men;
    const most = point === 25 ? 4 : MOST, x = this.x(point);
    stack.slice(0, most).forEach(([colour, pinned], index) => {
      men.append(svg('use', { href: `#${colour}`, x, y: this.y(point, index, mine), ...(pinned && { class: 'pinned' }) }));
    });
    if (stack.length > most) {
      men.append(svg('text', { class: `count ${stack.at(-1)[0]}-t`, x, y: this.y(point, most - 1, mine) + 14 }, stack.length));
    }
  }

  /** Marks: `selected` point, `can` points, `to` [{point, hit}], and the last turn as `from` and `landed` points. */
  mark({ selected = null, can = [], to = [], from = [], landed = [], lastMine = true }) {
    for (const half of ['up', 'low']) { this.part[half].under.replaceChildren(); this.part[half].over.replaceChildren(); }
    const seen = point => lastMine || point === 25 || point === 0 ? point : opposite(point, this.look.long);
    const height = point => this.stack(this.position, point).length;
    for (const point of from) {
      if (point > 0 && point < 25) this.ring('m-from', seen(point), height(seen(point)));
      else if (point === 25) this.ring('m-from', 25, 0, lastMine);
    }
    for (const point of landed) if (point > 0) this.ring('m-last', seen(point), Math.max(0, height(seen(point)) - 1));
    for (const point of can) if (point !== selected) this.ring('m-can', point, Math.max(0, height(point) - 1));
    if (selected !== null) this.ring('m-sel', selected, Math.max(0, height(selected) - 1));
    for (const { point, hit } of to) {
      if (point === 0) continue;
      if (hit) this.ring('m-hit', point, 0); else this.dot(point, height(point));
    }
    this.svg.querySelector('.tray')?.classList.toggle('target', to.some(({ point }) => point === 0));
  }

  ring(kind, point, index, mine = true) {
    const place = `translate(${this.x(point)} ${this.y(point, index, mine)})`;
    const layer = kind === 'm-from' ? 'under' : 'over';
    const mark = svg('g', { class: kind, transform: place });
    for (const name of ['rim', 'halo', 'ring']) mark.append(svg('circle', { class: name, r: 44 }));
    this.part[this.half(point, mine)][layer].append(mark);
  }

  dot(point, index) {
    const mark = svg('g', { class: 'm-to', transform: `translate(${this.x(point)} ${this.y(point, index)})` });
    mark.append(svg('circle', { class: 'rim', r: 23 }), svg('circle', { r: 17 }));
    this.part[this.half(point)].over.append(mark);
  }

  /** Dice of one side, `used` ones dimmed; `order` puts the left one first. */
  dice(values, mine, used = [], rolling = false) {
    const middle = this.svg.querySelector('.mid');
    middle.replaceChildren();
    if (!values?.length) return;
    const all = values[0] === values[1] ? Array(4).fill(values[0]) : values;
    const wide = PHONE.matches ? 122 : 88;
    const start = (mine ? 1020 : 330) + (this.look.mirrored ? 150 : 0) - (all.length - 1) * wide / 2;
    const spent = [...used];
    all.forEach((value, index) => {
      const at = spent.indexOf(value);
      if (at >= 0) spent.splice(at, 1);
      const die = svg('g', { class: `die ${this.colours[mine ? 0 : 1]}-d${at >= 0 ? ' used' : ''}`, transform: `translate(${start + index * wide} ${MIDDLE})` });
      const turn = svg('g', { class: 'turn' });
      turn.append(svg('rect', { x: -36, y: -36, width: 72, height: 72, rx: 14 }));
      for (const spot of PIPS[value]) turn.append(svg('circle', { cx: SPOT[spot][0], cy: SPOT[spot][1], r: 7 }));
      die.append(turn);
      middle.append(die);
      if (rolling && this.moves) {
        turn.animate([{ rotate: `${index % 2 ? '' : '-'}200deg`, opacity: 0.2 }, { rotate: '0deg', opacity: 1 }], { duration: 320, easing: 'cubic-bezier(.2,.8,.3,1)' });
      }
    });
  }

  cube(value, owner, offered) {
    const cube = this.svg.querySelector('.cube');
    if (!cube) return;
    const y = owner === null ? MIDDLE : owner === this.look.side ? 712 : 468;
    cube.setAttribute('transform', `translate(${this.x(0)} ${y})`);
    cube.querySelector('text').textContent = offered ?? (value === 1 ? 64 : value);
    cube.classList.toggle('offered', Boolean(offered));
  }

  // ---- movement

  /** Shows steps one after the other on the position before them, and ends with the position after them. */
  async play(steps, mine, each, pause = 0) {
    if (!this.moves || !steps.length) return;
    const share = Math.min(this.speed, 1400 / (steps.length * (each + pause))); // however long a turn is, it takes 1.4 s at most
    for (const step of steps) {
      const before = this.position;
      const seen = mine ? after(before, step, this.look) : turned(after(turned(before), step, this.look));
      await this.slide(step, mine, before, seen, each * share);
      if (pause) await new Promise(done => setTimeout(done, pause * share));
    }
  }

  async slide([from, to], mine, before, next, duration) {
    const own = point => mine || point === 0 || point === 25 ? point : opposite(point, this.look.long);
    const start = this.place(own(from), Math.max(0, this.count(before, from, mine) - 1), mine);
    this.draw(next);
    const end = this.place(own(to), Math.max(0, this.count(next, to, mine) - 1), mine);
    const ghost = svg('use', { href: `#${this.colours[mine ? 0 : 1]}` });
    const fly = this.svg.querySelector('.fly');
    fly.append(ghost);
    const hidden = this.topMan(own(to), mine);
    hidden?.setAttribute('visibility', 'hidden');
    const frames = [start, end].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    await ghost.animate(frames, { duration, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' }).finished.catch(() => {});
    ghost.remove();
    hidden?.removeAttribute('visibility');
  }

  count(position, point, mine) {
    if (point === 0 || point === 25) return (mine ? position.mine : position.theirs)[point];
    return this.stack(position, mine ? point : opposite(point, this.look.long)).length;
  }

  /** On a phone the two halves are drawn apart: what flies over them has to follow. */
  place(point, index, mine) {
    const spread = PHONE.matches ? (this.half(point, mine) === 'up' ? -66 : 66) : 0;
    return [this.x(point), this.y(point, index, mine) + spread];
  }

  topMan(point, mine) {
    if (point === 0) return null;
    const x = String(this.x(point));
    return [...this.part[this.half(point, mine)].men.querySelectorAll('use')].filter(man => man.getAttribute('x') === x).at(-1);
  }
}

export function svg(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
