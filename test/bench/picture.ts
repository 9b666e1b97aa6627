/** Each ratio that has an aim as a bar against its aim, on a logarithmic scale: to the right of the line is better than aimed at. */
import type { Part, Result } from "./results.ts";

const bar = { height: 14, gap: 10, left: 430, width: 420 };
const colors = { met: "#2f7d4f", missed: "#b3452c", line: "#888888", text: "#444444" };
/** A tenth of the aim is the left edge, ten times the aim the right. */
const decades = 1;

export function pictureOf(parts: Readonly<Record<string, Part>>): string {
	const rows = Object.values(parts).flatMap(({ rows }) => rows.filter(({ aim }) => aim !== null));
	const height = (bar.height + bar.gap) * rows.length + 40;
	const middle = bar.left + bar.width / 2;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 ${height}" font-family="sans-serif" font-size="11" fill="${colors.text}">`,
		"<title>Measured ratios against their aims</title>",
		`<rect width="1000" height="${height}" fill="#ffffff"/>`,
		`<text x="${middle}" y="14" text-anchor="middle">the aim</text>`,
		`<text x="${bar.left}" y="14">ten times worse</text>`,
		`<text x="${bar.left + bar.width}" y="14" text-anchor="end">ten times better</text>`,
		...rows.map((row, nth) => barOf(row, 24 + nth * (bar.height + bar.gap), middle)),
		`<path d="M${middle} 20V${height - 10}" stroke="${colors.line}"/>`,
		"</svg>\n",
	].join("\n");
}

function barOf({ measure, than, ratio, aim, met }: Result, y: number, middle: number): string {
	const [sign = "", bound = ""] = (aim ?? "").split(" ");
	const against = (ratio?.median ?? Number.NaN) / Number(bound);
	const better = Math.log10(sign === ">=" ? against : 1 / against) / decades;
	const length = Math.max(-1, Math.min(1, better)) * (bar.width / 2);
	const x = Math.min(middle, middle + length);
	const label = than === null ? measure : `${measure} / ${than}`;
	return [
		`<text x="${bar.left - 8}" y="${y + 11}" text-anchor="end">${escaped(label.slice(0, 80))}</text>`,
		`<rect x="${x.toFixed(1)}" y="${y}" width="${Math.abs(length).toFixed(1)}" height="${bar.height}" fill="${met ? colors.met : colors.missed}"/>`,
		`<text x="${bar.left + bar.width + 8}" y="${y + 11}">${ratio?.median ?? "-"} (aim ${escaped(aim ?? "")})</text>`,
	].join("");
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
