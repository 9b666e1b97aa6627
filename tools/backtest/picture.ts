/** Draws the stated chance and the observed share by tenth of the requests, as pairs of bars: an SVG. Pure. */
import type { Bin } from "./statistics.ts";

const [width, height, edge, bar] = [560, 300, 46, 18];
const plot = height - 2 * edge;
const tall = (share: number): number => Math.round(share * plot * 10) / 10;

export function picture(groups: readonly Bin[]): string {
	const step = (width - 2 * edge) / Math.max(1, groups.length);
	const bars = groups.flatMap(({ n, predicted, observed }, at) => {
		const x = Math.round(edge + at * step + step / 2);
		const drawn = (share: number, left: number, fill: string, word: string) =>
			`<rect x="${left}" y="${height - edge - tall(share)}" width="${bar}" height="${tall(share)}" fill="${fill}"><title>${n} requests: ${Math.round(100 * share)} % ${word}</title></rect>`;
		return [
			drawn(predicted, x - bar, "#9ec1f7", "stated"),
			drawn(observed, x, "#1f6feb", "came to operate"),
			`<text x="${x}" y="${height - edge + 16}" text-anchor="middle">${at + 1}</text>`,
		];
	});
	const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
		`<path d="M${edge} ${height - edge - tall(share)}H${width - edge}" stroke="#ddd"/>`,
		`<text x="${edge - 6}" y="${height - edge - tall(share) + 4}" text-anchor="end">${100 * share} %</text>`,
	]);
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
		"<title>By tenth of the requests: the chance of operating within two years that was stated, and the share that came to operate</title>",
		`<rect width="${width}" height="${height}" fill="#fff"/>`,
		...lines,
		...bars,
		`<text x="${width / 2}" y="${height - 10}" text-anchor="middle">Tenths of all requests, the least likely first</text>`,
		`<rect x="${edge}" y="12" width="12" height="12" fill="#9ec1f7"/><text x="${edge + 18}" y="22">chance that was stated</text>`,
		`<rect x="${edge + 170}" y="12" width="12" height="12" fill="#1f6feb"/><text x="${edge + 188}" y="22">operating two years later</text>`,
		"</svg>",
	].join("\n")}\n`;
}
