// Pictures to keep: what a canvas shows, with a background and the text that the page sets beside it.
import { curveColour } from "./plot.js";
import { colour } from "./theme.js";

const TEXT = "13px system-ui, sans-serif";
const TITLE = "600 15px system-ui, sans-serif";

/** A canvas of so many CSS px at the resolution of the screen, filled with the background. */
export function sheet(width, height) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    const context = canvas.getContext("2d");
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = colour("paper");
    context.fillRect(0, 0, width, height);
    context.font = TEXT;
    context.textBaseline = "middle";
    return { canvas, context };
}

/** @returns {Promise<Blob>} */
export function pngOf(canvas) {
    return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
}

function curveName(curve, times) {
    return curve.x.values === times ? curve.y.name : `${curve.x.name}, ${curve.y.name}`;
}

/** Lays the names of the curves out in lines; returns the height they take. */
function drawLegend(context, content, left, top, right) {
    let x = left;
    let y = top;
    for (const curve of content.curves) {
        const name = curveName(curve, content.times);
        const width = 30 + context.measureText(name).width;
        if (x > left && x + width > right) {
            x = left;
            y += 20;
        }
        context.fillStyle = curveColour(curve.index);
        context.fillRect(x, y - 1.5, 18, 3);
        context.fillStyle = colour("ink");
        context.fillText(name, x + 24, y);
        x += width + 12;
    }
    return y + 20 - top;
}

/** @param {import("./plot.js").Plot} plot @param {string} title */
export function pictureOfPlot({ chart, content }, title) {
    const margin = 16;
    const width = chart.width + 2 * margin;
    const legend = drawLegend(sheet(1, 1).context, content, margin, 0, width - margin);
    const { canvas, context } = sheet(width, chart.height + 44 + legend + margin);
    context.fillStyle = colour("ink");
    context.font = TITLE;
    context.fillText(title, margin, 22);
    context.font = TEXT;
    context.drawImage(chart.ctx.canvas, margin, 40, chart.width, chart.height);
    drawLegend(context, content, margin, chart.height + 56, width - margin);
    return pngOf(canvas);
}
