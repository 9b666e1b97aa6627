/** The parts of the benchmark, each with what it measures. */
import { measureAccess } from "./access.ts";
import { measureCapacity } from "./capacity.ts";
import { measureExport } from "./export.ts";
import { measureHistory } from "./history.ts";
import { measureIngest } from "./ingest.ts";
import { measureKept } from "./kept.ts";
import { measureMap } from "./map.ts";
import { measureReads } from "./measure-reads.ts";
import { measureServiceMemory } from "./memory.ts";
import { measureNames } from "./names.ts";
import { measureParsing } from "./parsing.ts";
import { measureQuery } from "./query.ts";
import { type Row, ratioOf } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureScoring } from "./scoring.ts";
import { measureSignals } from "./signals.ts";
import { measureSources } from "./sources.ts";
import { measureStreams } from "./streams.ts";
import type { Bench } from "./system.ts";

type Measurement = (bench: Bench, say: (line: string) => void) => Promise<Row[]>;

/** Parts in the order of running: export and scale grow the table that the reads are measured on, memory replaces a list, scoring empties it. */
export const parts: Readonly<Record<string, Measurement>> = {
	parsing: measureParsing,
	sources: measureSources,
	names: measureNames,
	ingest: measureIngest,
	reads: measureReads,
	history: measureHistory,
	map: measureMap,
	streams: measureStreams,
	kept: measureKept,
	access: measureAccess,
	query: measureQuery,
	capacity: measureCapacity,
	export: measureExport,
	signals: measureSignals,
	scale: measureScale,
	memory: measureServiceMemory,
	scoring: measureScoring,
};

/** @throws where the part measured nothing, or a figure is not a number */
export function checkRows(part: string, rows: readonly Row[]): void {
	if (rows.length === 0) throw new Error(`${part}: nothing was measured`);
	for (const row of rows) {
		const turns = [row, row.p99, row.cpuMs].flatMap((kind) => (kind ? [...kind.ours, ...kind.baseline] : []));
		const figures = [...turns, ...Object.values(ratioOf(row) ?? {})];
		if (row.ours.length === 0 || !figures.every(Number.isFinite))
			throw new Error(`${part}: ${row.measure}: ${figures.join(", ") || "no figure"}`);
	}
}
