/** What was measured, for programs (`bench/results.json`) and for people (`bench/results.svg`). A part that was not run stays as it was. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../deploy/local/data-dir.ts";
import { median } from "./measure.ts";
import { pictureOf } from "./picture.ts";
import { aimText, isMet, type Row, ratioOf, type Turns } from "./report.ts";

export interface Result {
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

export interface Part {
	/** When it was run (UTC). */
	at: string;
	cores: number;
	node: string;
	rows: Result[];
}

const directory = join(root, "bench");

export function writeResults(measured: Record<string, Row[]>): void {
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "results.json");
	const parts: Record<string, Part> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	for (const [name, rows] of Object.entries(measured))
		parts[name] = {
			at: `${new Date().toISOString().slice(0, 16)}Z`,
			cores: cpus().length,
			node: process.version,
			rows: rows.map(resultOf),
		};
	writeFileSync(file, `${JSON.stringify(parts, null, "\t")}\n`);
	writeFileSync(join(directory, "results.svg"), pictureOf(parts));
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
