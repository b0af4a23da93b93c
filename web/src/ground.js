// The grid that a scene stands on, the names of its axes, and how far its lines lie apart.
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { roundStep } from "./number.js";

const LINES = 8; // across the longer side, at least

/** @returns {{object: LineSegments, tint: [LineBasicMaterial, string], step: number, names: {text: string, at: Vector3}[]}} */
export function createGround(scene, size) {
    const longer = Math.max(scene.high[0] - scene.low[0], scene.high[1] - scene.low[1], 0.25 * size);
    const step = roundStep(longer / LINES);
    const from = [0, 1].map(axis => Math.floor(scene.low[axis] / step - 0.5) * step);
    const to = [0, 1].map(axis => Math.ceil(scene.high[axis] / step + 0.5) * step);
    const z = scene.low[2];
    const points = [];
    for (let i = 0; i <= Math.round((to[0] - from[0]) / step); i++) points.push(from[0] + i * step, from[1], z, from[0] + i * step, to[1], z);
    for (let i = 0; i <= Math.round((to[1] - from[1]) / step); i++) points.push(from[0], from[1] + i * step, z, to[0], from[1] + i * step, z);
    const names = [
        { text: scene.axes[0], at: new Vector3(to[0], from[1], z) },
        { text: scene.axes[1], at: new Vector3(from[0], to[1], z) },
    ];
    if (!scene.flat) {
        points.push(from[0], from[1], z, from[0], from[1], scene.high[2]);
        names.push({ text: scene.axes[2], at: new Vector3(from[0], from[1], scene.high[2]) });
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    const material = new LineBasicMaterial({ depthWrite: false });
    const object = new LineSegments(geometry, material);
    object.renderOrder = -1; // before everything that lies on it
    return { object, tint: [material, "rule"], step, names };
}
