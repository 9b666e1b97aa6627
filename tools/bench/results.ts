/** Results for programs (`bench/results.json`) and for people (`bench/results.svg`). A part that was not run stays as it was. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../deploy/local/data-dir.ts";
import { median } from "./measure.ts";
import { aimText, isMet, type Row, ratioOf, type Turns } from "./report.ts";

interface Result {
	measure: string;
	unit: string;
	ours: number;
	than: string | null;
	baseline: number | null;
	ratio: { median: number; least: number; most: number } | null;
	aim: string | null;
	met: boolean | null;
	p99_ms: { ours: number; baseline: number | null } | null;
	cpu_ms: { ours: number; baseline: number | null } | null;
	note: string | null;
}

interface PartResult {
	/** When it was run (UTC). */
	at: string;
	/** The measured commit, `-dirty` where the work tree had changes. */
	commit: string;
	cores: number;
	node: string;
	rows: Result[];
}

const directory = join(root, "bench");

/** Changes of the results themselves do not count: parts may be run one after the other. */
export function readCommit(): string {
	const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
	const changed = git("status", "--porcelain", "--", ".", ":!bench", ":!bench.log", ":!docs/capacity.md");
	return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "-dirty"}`;
}

export function writeResults(name: string, rows: readonly Row[], commit: string): void {
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "results.json");
	const parts: Record<string, PartResult> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	parts[name] = {
		at: `${new Date().toISOString().slice(0, 16)}Z`,
		commit,
		cores: cpus().length,
		node: process.version,
		rows: rows.map(resultOf),
	};
	writeFileSync(file, `${JSON.stringify(parts, null, "\t")}\n`);
	writeFileSync(join(directory, "results.svg"), drawPicture(parts));
}

function resultOf(row: Row): Result {
	const ratio = ratioOf(row);
	return {
		measure: row.measure.trim(),
		unit: row.unit,
		ours: digits(median(row.ours)),
		than: row.than ?? null,
		baseline: row.baseline.length === 0 ? null : digits(median(row.baseline)),
		ratio:
			ratio === undefined
				? null
				: { median: digits(ratio.median), least: digits(ratio.least), most: digits(ratio.most) },
		aim: row.aim === undefined ? null : aimText(row.aim),
		met: row.aim === undefined || ratio === undefined ? null : isMet(row.aim, ratio),
		p99_ms: medians(row.p99),
		cpu_ms: medians(row.cpuMs),
		note: row.note ?? null,
	};
}

function medians(turns: Turns | undefined): { ours: number; baseline: number | null } | null {
	if (turns === undefined) return null;
	return {
		ours: digits(median(turns.ours)),
		baseline: turns.baseline.length === 0 ? null : digits(median(turns.baseline)),
	};
}

const digits = (value: number): number => Number(value.toPrecision(3));

const bar = { height: 14, gap: 10, left: 430, width: 420 };
const colors = { met: "#2f7d4f", missed: "#b3452c", line: "#888888", text: "#444444" };
/** A tenth of the aim is the left edge, ten times the aim the right. */
const decades = 1;

/** Each ratio that has an aim as a bar against its aim, on a logarithmic scale: to the right of the line is better than aimed at. */
function drawPicture(parts: Readonly<Record<string, PartResult>>): string {
	const line = bar.height + bar.gap;
	const middle = bar.left + bar.width / 2;
	const drawn: string[] = [];
	const top = () => 24 + drawn.length * line;
	for (const [name, { at, commit, rows }] of Object.entries(parts)) {
		const aimed = rows.filter(({ aim }) => aim !== null);
		if (aimed.length === 0) continue;
		const heading = `${name}, ${at.slice(0, 10)}, ${commit ?? "commit unknown"}`;
		drawn.push(`<text x="8" y="${top() + 11}" font-weight="bold">${escaped(heading)}</text>`);
		for (const row of aimed) drawn.push(drawBar(row, top(), middle));
	}
	const height = top() + 16;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 ${height}" font-family="sans-serif" font-size="11" fill="${colors.text}">`,
		"<title>Measured ratios against their aims</title>",
		`<rect width="1000" height="${height}" fill="#ffffff"/>`,
		`<text x="${middle}" y="14" text-anchor="middle">the aim</text>`,
		`<text x="${bar.left}" y="14">ten times worse</text>`,
		`<text x="${bar.left + bar.width}" y="14" text-anchor="end">ten times better</text>`,
		...drawn,
		`<path d="M${middle} 20V${height - 10}" stroke="${colors.line}"/>`,
		"</svg>\n",
	].join("\n");
}

function drawBar({ measure, than, ratio, aim, met }: Result, y: number, middle: number): string {
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
