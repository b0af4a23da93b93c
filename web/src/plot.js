// One plot of curves (uPlot draws it): zoom, readout, and a mark at the time of the clock.
import uPlot from "uplot";
import { decades, equalised, padded } from "./box.js";
import { element } from "./dom.js";
import { createLegend } from "./legend.js";
import { powersWithin, powerTexts } from "./number.js";
import { LARGEST, locate, rangeOf, valueAt } from "./samples.js";
import { colour, CURVE_COLOURS } from "./theme.js";
import { linearTicks } from "./ticks.js";
import { listenForZoom } from "./zoom.js";

/**
 * @typedef {import("./data.js").Column} Column
 * @typedef {{x: Column, y: Column, index: number}} Curve    index: which colour and dash
 * @typedef {{curves: Curve[], times: number[], equal?: boolean, logarithmic?: boolean, height?: number,
 *            rounding?: number, events?: {name: string, t: number}[], clockName?: string, zeroLines?: boolean}} Content
 *     rounding: of the values, in parts of the largest
 *     clockName: of what `times` are values of and the clock tells, if it is not t; zeroLines: x = 0 and y = 0 are drawn
 *     equal: units of both axes are as long; logarithmic: the vertical axis, and then all values are positive or null
 */

const HEIGHT = 260;
const INDISTINCT = 0.5; // px of the canvas
const CLICK = 4; // px that a click may move
const CONSTANTS = ["energy", "invariant"]; // drawn as what they are; how far they are off stands on the card of errors
const KEPT = 1e-6;
const DASHES = [[], [7, 4], [2, 3]];

export const curveColour = index => colour("curve-" + (index % CURVE_COLOURS));
const curveDash = index => DASHES[Math.floor(index / CURVE_COLOURS) % DASHES.length];

const canBeShown = value => value !== null && Math.abs(value) <= LARGEST;

/** uPlot has no axes for numbers of more than 17 digits: beyond 1e15, and for what is far below 1, it is told values in this unit. */
function unitOf(columns) {
    const [low, high] = rangeOf(columns) ?? [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    return size >= 1e15 || (size > 0 && size < 1e-9) ? 10 ** Math.max(-300, Math.floor(Math.log10(size))) : 1;
}

/** A curve through samples in their order, broken where a value is missing; samples that nobody could tell from the one before are left out. */
function tracePath(chart, seriesIndex) {
    const stroke = new Path2D();
    uPlot.orient(chart, seriesIndex, (series, xs, ys, scaleX, scaleY, toX, toY, left, top, width, height) => {
        let last = null;
        for (let i = 0; i < xs.length; i++) {
            if (xs[i] === null || ys[i] === null) {
                last = null;
                continue;
            }
            const x = toX(xs[i], scaleX, width, left);
            const y = toY(ys[i], scaleY, height, top);
            if (last && Math.abs(x - last.x) < INDISTINCT && Math.abs(y - last.y) < INDISTINCT) continue;
            if (last) stroke.lineTo(x, y);
            else stroke.moveTo(x, y);
            last = { x, y };
        }
    });
    return { stroke };
}

const FONT = "12px system-ui, sans-serif";
const SPACE = { 2: 60, 3: 36 }; // px for a tick, below and at the left

/** How many ticks an axis has room for. */
const room = (chart, side) => Math.max(2, Math.floor((side === 2 ? chart.bbox.width : chart.bbox.height) / devicePixelRatio / SPACE[side]));
const linear = (chart, side, unit, [low, high]) => linearTicks(low * unit, high * unit, room(chart, side));

function axis(scale, side, logarithmic, unit) {
    const ticksOf = (chart, ...range) => linear(chart, side, unit, range);
    return {
        scale,
        side,
        stroke: () => colour("muted"),
        grid: { stroke: () => colour("rule"), width: 1 },
        ticks: { show: false },
        font: FONT,
        gap: 6,
        incrs: [5], // any: splits are chosen below
        space: 0,
        size: side === 2 ? 30 : (chart, texts) => 14 + 7 * Math.max(2, ...(texts ?? []).map(text => text.length)),
        splits: (chart, index, low, high) => (logarithmic ? powersWithin(low, high) : ticksOf(chart, low, high).values.map(value => value / unit)),
        filter: (chart, ticks) => ticks,
        values: (chart, ticks) => (logarithmic ? powerTexts(ticks) : ticksOf(chart, chart.scales[scale].min, chart.scales[scale].max).texts),
    };
}

/** What all labels of an axis have in common: above the vertical one, at the right end of the other. */
function drawNotes(chart, notes) {
    const { ctx, bbox } = chart;
    const pixels = devicePixelRatio;
    ctx.save();
    ctx.font = FONT.replace("12", 12 * pixels);
    ctx.fillStyle = colour("muted");
    ctx.textBaseline = "bottom";
    ctx.textAlign = "left";
    ctx.fillText(notes.y, Math.max(2 * pixels, bbox.left - 30 * pixels), bbox.top - 3 * pixels);
    ctx.textAlign = "right";
    ctx.fillText(notes.x, bbox.left + bbox.width, bbox.top + bbox.height - 3 * pixels);
    ctx.restore();
}

function seriesOf(curve) {
    return {
        facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }],
        stroke: () => curveColour(curve.index),
        width: 1.6,
        dash: curveDash(curve.index),
        paths: tracePath,
    };
}

/** Thin lines that end where the plot does. @param {number[]} dash @param {(ctx: CanvasRenderingContext2D, bbox: Object) => void} trace */
function drawLines(chart, dash, trace) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    ctx.strokeStyle = colour("muted");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(dash.map(length => length * devicePixelRatio));
    trace(ctx, bbox);
    ctx.stroke();
    ctx.restore();
}

function traceVertical(chart, value, ctx, bbox) {
    const x = chart.valToPos(value, "x", true);
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
}

/** Where events happened: dotted lines across a plot against time. */
function drawEvents(chart, unit, events) {
    drawLines(chart, [1, 3], (ctx, bbox) => events.forEach(({ t }) => traceVertical(chart, t / unit, ctx, bbox)));
}

/** The lines x = 0 and y = 0, where they are within the plot. */
function drawZeroLines(chart) {
    drawLines(chart, [], (ctx, bbox) => {
        traceVertical(chart, 0, ctx, bbox);
        const y = chart.valToPos(0, "y", true);
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
    });
}

export class Plot {
    /**
     * @param {HTMLElement} host where the plot goes
     * @param {Content} content
     * @param {ReturnType<import("./clock.js").createClock>} clock
     * @param {string} title for those who hear the page
     */
    constructor(host, content, clock, title) {
        this.content = content;
        this.clock = clock;
        this.logarithmic = Boolean(content.logarithmic);
        this.againstTime = content.curves.every(curve => curve.x.values === content.times);
        this.visible = content.curves.map(() => true);
        this.current = { x: [0, 1], y: [0, 1] };
        this.zoomed = false;
        this.stage = element("div", { class: "plot", tabindex: 0, role: "img", "aria-label": title });
        this.legend = createLegend(content, this.againstTime, (index, on) => this.setVisible(index, on));
        host.replaceChildren(this.stage, this.legend.element);
        this.unit = { x: unitOf(content.curves.map(({ x }) => x.values)), y: this.logarithmic ? 1 : unitOf(content.curves.map(({ y }) => y.values)) };
        const data = content.curves.map(({ x, y }) => [this.inUnits("x", x.values), this.inUnits("y", y.values)].map(values => this.broken(values)));
        this.chart = new uPlot(this.options(host.clientWidth), [null, ...data], this.stage);
        this.area = this.chart.over;
        this.addMarks();
        this.listen(host);
        this.reset();
        this.stage.hamel = this;
    }

    /** What uPlot is told instead of values. */
    inUnits(scale, values) {
        return values.map(value => (canBeShown(value) ? value / this.unit[scale] : null));
    }

    /** A jump in no time is a vertical line against time; elsewhere it is no part of a curve, and leaves a gap. */
    broken(values) {
        const { times } = this.content;
        return this.againstTime ? values : values.flatMap((value, i) => (i > 0 && times[i] === times[i - 1] ? [null, value] : [value]));
    }

    rangeInUnits(scale) {
        return this.current[scale].map(end => end / this.unit[scale]);
    }

    /** Where a value is seen, in px of the plot. */
    placeOf(value, scale) {
        return this.chart.valToPos(value / this.unit[scale], scale);
    }

    options(width) {
        const { content } = this;
        const show = () => this.marks && this.showTime();
        return {
            mode: 2,
            width: Math.max(200, width),
            height: content.height ?? HEIGHT,
            padding: [18, 18, 0, 0],
            legend: { show: false },
            scales: {
                x: { time: false, auto: false, range: () => this.rangeInUnits("x") },
                y: { auto: false, distr: this.logarithmic ? 3 : 1, range: () => this.rangeInUnits("y") },
            },
            axes: [axis("x", 2, false, this.unit.x), axis("y", 3, this.logarithmic, this.unit.y)],
            series: [null, ...content.curves.map(seriesOf)],
            cursor: {
                drag: { x: true, y: true, uni: content.equal ? null : 40, setScale: false, dist: CLICK },
                points: { show: false },
                dataIdx: () => null,
                bind: { dblclick: () => () => this.reset() },
            },
            hooks: {
                setSelect: [() => this.zoomToSelection()],
                setCursor: [show],
                setSize: [() => queueMicrotask(() => this.moveTo(this.zoomed ? this.current : this.whole()))],
                draw: [show, () => drawNotes(this.chart, this.notes()), chart => this.againstTime && drawEvents(chart, this.unit.x, content.events ?? []),
                    chart => content.zeroLines && drawZeroLines(chart)],
            },
        };
    }

    /** What stands once for all labels of an axis. */
    notes() {
        const note = (side, range) => linear(this.chart, side, 1, range).note;
        return { x: note(2, this.current.x), y: this.logarithmic ? "" : note(3, this.current.y) };
    }

    /** The labels that stand at an axis, as they are seen. */
    tickTexts(scale) {
        return Array.from(this.chart.axes[scale === "x" ? 0 : 1]._values ?? []);
    }

    /** A line at the time of the clock, and a dot on each curve. */
    addMarks() {
        const dot = curve => element("div", { class: "dot", style: `background: var(--curve-${curve.index % CURVE_COLOURS})` });
        this.marks = { line: element("div", { class: "time-line", hidden: !this.againstTime }), dots: this.content.curves.map(dot) };
        this.area.append(this.marks.line, ...this.marks.dots);
    }

    listen(host) {
        let pressed = [0, 0];
        this.area.addEventListener("mousedown", event => (pressed = [event.clientX, event.clientY]));
        this.area.addEventListener("click", event => {
            if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > CLICK) return;
            const { left, top } = this.area.getBoundingClientRect();
            this.clock.setTime(this.timeNear(event.clientX - left, event.clientY - top) ?? this.clock.time());
        });
        listenForZoom(this, this.stage);
        this.resized = new ResizeObserver(() => {
            if (host.clientWidth > 0 && host.clientWidth !== this.chart.width) this.chart.setSize({ width: host.clientWidth, height: this.chart.height });
        });
        this.resized.observe(host);
    }

    /** The part of a value below which a change is no change: the rounding of the data, or what a constant may be wrong by. */
    rounding(shown) {
        return shown.every(({ y }) => CONSTANTS.includes(y.kind)) ? Math.max(this.content.rounding ?? 0, KEPT) : this.content.rounding;
    }

    /** The box that holds all curves that are seen. */
    whole() {
        const shown = this.content.curves.filter((curve, index) => this.visible[index]);
        const xs = rangeOf(shown.map(curve => curve.x.values));
        const ys = rangeOf(shown.map(curve => curve.y.values));
        return { x: this.againstTime && xs ? xs : padded(xs, this.content.rounding), y: this.logarithmic ? decades(ys) : padded(ys, this.rounding(shown)) };
    }

    moveTo(box) {
        const { width, height } = this.chart.bbox;
        this.current = this.content.equal ? equalised(box, width, height) : box;
        this.chart.batch(() => {
            for (const scale of ["x", "y"]) {
                const [min, max] = this.rangeInUnits(scale);
                this.chart.setScale(scale, { min, max });
            }
        });
    }

    reset() {
        this.zoomed = false;
        this.moveTo(this.whole());
    }

    box() {
        return this.current;
    }

    setBox(box) {
        this.zoomed = true;
        this.moveTo(box);
    }

    at(left, top) {
        return { x: this.chart.posToVal(left, "x") * this.unit.x, y: this.chart.posToVal(top, "y") * this.unit.y };
    }

    zoomToSelection() {
        const { left, top, width, height } = this.chart.select;
        if (width <= 0 || height <= 0) return;
        const [lowLeft, highRight] = [this.at(left, top + height), this.at(left + width, top)];
        this.setBox({ x: [lowLeft.x, highRight.x], y: [lowLeft.y, highRight.y] });
        this.chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    }

    setVisible(index, on) {
        this.visible[index] = on;
        this.chart.setSeries(index + 1, { show: on });
        this.showTime();
    }

    /** The time of the sample nearest to a point of the plot, in px; null when there is none. */
    timeNear(left, top) {
        if (this.againstTime) return this.at(left, top).x;
        const { curves, times } = this.content;
        let best = { distance: Infinity, time: null };
        for (const { x, y } of curves.filter((curve, index) => this.visible[index])) {
            times.forEach((time, i) => {
                if (!canBeShown(x.values[i]) || !canBeShown(y.values[i])) return;
                const distance = Math.hypot(this.placeOf(x.values[i], "x") - left, this.placeOf(y.values[i], "y") - top);
                if (distance < best.distance) best = { distance, time };
            });
        }
        return best.time;
    }

    /** Marks and values where the mouse points, or else at the time of the clock. */
    showTime() {
        const { left, top } = this.chart.cursor;
        const time = (left >= 0 && top >= 0 ? this.timeNear(left, top) : null) ?? this.clock.time();
        const place = locate(this.content.times, time);
        this.marks.line.style.transform = `translateX(${this.placeOf(this.clock.time(), "x")}px)`;
        this.legend.show(time, this.content.curves.map((curve, index) => {
            const [x, y] = [curve.x, curve.y].map(({ values }) => valueAt(values, place));
            const dot = this.marks.dots[index];
            dot.hidden = !this.visible[index] || !canBeShown(x) || !canBeShown(y);
            if (!dot.hidden) dot.style.transform = `translate(${this.placeOf(x, "x")}px, ${this.placeOf(y, "y")}px)`;
            return { x, y };
        }));
    }

    redraw() {
        this.chart.redraw(false);
    }

    destroy() {
        this.resized.disconnect();
        this.chart.destroy();
    }
}
