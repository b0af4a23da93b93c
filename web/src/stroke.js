// A line of the same width in px wherever it is seen from, through points that may move.
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";

/**
 * @param {number} count of points
 * @param {{colour: string, width: number, opacity?: number, origin: number[]}} look points are kept as single-precision numbers from the origin
 */
export function createStroke(count, { colour, width, opacity = 1, origin }) {
    const geometry = new LineGeometry();
    geometry.setPositions(new Float32Array(3 * Math.max(2, count)));
    const buffer = geometry.attributes.instanceStart.data; // each segment: from x y z, to x y z
    const material = new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity });
    const object = new Line2(geometry, material);
    object.frustumCulled = false; // its points move
    object.position.fromArray(origin);
    const put = (at, point) => {
        for (let axis = 0; axis < 3; axis++) buffer.array[at + axis] = point[axis] - origin[axis];
    };
    return {
        object,
        tint: [material, colour],
        /** Point i, as the end of one segment and the beginning of the next. */
        setPoint(i, point) {
            if (i > 0) put(6 * (i - 1) + 3, point);
            if (i < buffer.count) put(6 * i, point);
            buffer.needsUpdate = true;
        },
        /** Shows the first so many points. */
        setShown(points) {
            geometry.instanceCount = Math.max(0, points - 1);
            object.visible = points > 1;
        },
        point: i => [0, 1, 2].map(axis => buffer.array[(i > 0 ? 6 * (i - 1) + 3 : 0) + axis] + origin[axis]),
    };
}
