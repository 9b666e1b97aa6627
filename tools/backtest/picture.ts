/** A reliability diagram as SVG: chance as it was stated to the right, share as it came upwards, a circle for each group of requests. Pure. */
import type { Bin } from "./statistics.ts";

const size = 320;
const edge = 40;
const plot = size - 2 * edge;

const x = (share: number): number => round(edge + share * plot);
const y = (share: number): number => round(size - edge - share * plot);
const round = (value: number): number => Math.round(value * 10) / 10;

export function picture(title: string, groups: readonly Bin[]): string {
	const most = Math.max(1, ...groups.map(({ n }) => n));
	const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
		`<text x="${x(share)}" y="${size - edge + 16}" text-anchor="middle">${share}</text>`,
		`<text x="${edge - 6}" y="${y(share) + 4}" text-anchor="end">${share}</text>`,
	]);
	const circles = groups.map(({ n, predicted, observed }) => {
		const radius = round(3 + 7 * Math.sqrt(n / most));
		return `<circle cx="${x(predicted)}" cy="${y(observed)}" r="${radius}"><title>${n} requests: ${predicted} stated, ${observed} came</title></circle>`;
	});
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="11">`,
		`<title>${title}: the chance that was stated, and the part that was built or advancing a year later</title>`,
		`<rect width="${size}" height="${size}" fill="#fff"/>`,
		`<text x="${size / 2}" y="22" text-anchor="middle" font-size="14">${title}</text>`,
		`<path d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}" fill="none" stroke="#333"/>`,
		`<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#999" stroke-dasharray="4 4"/>`,
		...ticks,
		`<text x="${size / 2}" y="${size - 6}" text-anchor="middle">chance that was stated</text>`,
		`<text transform="translate(12 ${size / 2}) rotate(-90)" text-anchor="middle">built or advancing a year later</text>`,
		`<g fill="#1f6feb" fill-opacity="0.65">${circles.join("")}</g>`,
		"</svg>",
	].join("\n")}\n`;
}
