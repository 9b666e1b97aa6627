/** Compares the structure of a list with that of the list accepted before it. Only informs; guards decide about the list. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import type { DriftClass, DriftSeverity, ValueKind } from "#libs/contract/vocabulary.ts";
import { headerKey } from "#libs/files/table.ts";
import type { ColumnStructure, TableStructure } from "./structure.ts";

export type Drift = Reply<"getSourceContracts">["data"][number]["drift"][number];

export interface ComparedList {
	tables: readonly TableStructure[];
	unknown: readonly { field: string; value: string }[];
}

/** Maximum relative change in the number of rows that is not reported. */
const maxRowsChange = 0.25;
/** Minimum rows for a change in their number to be reported: small sheets, such as a month's new requests, may double from list to list. */
const minRowsForChange = 100;
/** Maximum change in a column's share of filled cells that is not reported. */
const maxFilledChange = 0.2;
/** Maximum share of filled cells of a column that may become empty without a report. */
const maxSparseShare = 0.05;
/** Minimum share of cells of the most common kind for a change of kind to be reported. */
const minKindShare = 0.8;
/** Minimum rows for shares to be compared. */
const minRowsForShares = 20;
/** Maximum differences reported. A file with more is a different list. */
const maxDifferences = 200;

export function findDrift(before: ComparedList, after: ComparedList): Drift[] {
	const pairs = pairItems(before.tables, after.tables, ({ sheet }) => sheet ?? "");
	const items: Drift[] = pairs.flatMap(([older, newer]): Drift[] => {
		if (older === undefined || newer === undefined) return [sheetDrift(older, newer)];
		const renamed = headerKey(older.sheet) === headerKey(newer.sheet) ? [] : [sheetDrift(older, newer)];
		return [...renamed, ...rowsDrift(older, newer), ...columnsDrift(older, newer)];
	});
	const key = (one: { field: string; value: string }) => `${one.field}\n${one.value}`;
	const knownBefore = new Set(before.unknown.map(key));
	for (const word of after.unknown) {
		if (knownBefore.has(key(word))) continue;
		items.push({
			...{ class: "word_new", severity: "warning", sheet: null },
			...{ column: word.field, before: null, after: word.value },
		});
	}
	return items.slice(0, maxDifferences);
}

/** Pairs items by name, with repeated names in order. Pairs the rest by `areSame`, else by position if both lists are equally long. */
function pairItems<T>(
	before: readonly T[],
	after: readonly T[],
	nameOf: (one: T) => string,
	areSame: (older: T, newer: T) => boolean = () => false,
): [T | undefined, T | undefined][] {
	const numbered = (list: readonly T[]) => {
		const seen = new Map<string, number>();
		return list.map((one, at) => {
			const name = headerKey(nameOf(one));
			const nth = (seen.get(name) ?? 0) + 1;
			seen.set(name, nth);
			return { one, at, key: `${nth} ${name}` };
		});
	};
	const [older, newer] = [numbered(before), numbered(after)];
	const byKey = new Map(newer.map((entry) => [entry.key, entry]));
	const paired = new Set<unknown>();
	const pairs: [T | undefined, T | undefined][] = [];
	const unpaired = older.filter((entry) => {
		const same = byKey.get(entry.key);
		if (same === undefined) return true;
		paired.add(same);
		pairs.push([entry.one, same.one]);
		return false;
	});
	const added = newer.filter((entry) => !paired.has(entry));
	for (const entry of unpaired) {
		// If the number of columns is unchanged, a new column in the position of a removed one is the same column, renamed.
		const one = added.findIndex(({ one }) => areSame(entry.one, one));
		const place = one >= 0 || before.length !== after.length ? one : added.findIndex(({ at }) => at === entry.at);
		const [inPlace] = place < 0 ? [] : added.splice(place, 1);
		pairs.push([entry.one, inPlace?.one]);
	}
	return [...pairs, ...added.map(({ one }): [undefined, T] => [undefined, one])];
}

function sheetDrift(older: TableStructure | undefined, newer: TableStructure | undefined): Drift {
	const [before, after] = [older?.sheet ?? null, newer?.sheet ?? null];
	const driftClass: DriftClass =
		older === undefined ? "sheet_new" : newer === undefined ? "sheet_gone" : "sheet_renamed";
	const severity: DriftSeverity = driftClass === "sheet_gone" ? "error" : "warning";
	return { class: driftClass, severity, sheet: after ?? before, column: null, before, after };
}

function rowsDrift(older: TableStructure, newer: TableStructure): Drift[] {
	const largerRows = Math.max(older.rows, newer.rows);
	if (largerRows < minRowsForChange || Math.abs(newer.rows - older.rows) <= maxRowsChange * Math.max(older.rows, 1))
		return [];
	const figures = { before: String(older.rows), after: String(newer.rows) };
	return [{ class: "rows_jumped", severity: "warning", sheet: newer.sheet, column: null, ...figures }];
}

function columnsDrift(older: TableStructure, newer: TableStructure): Drift[] {
	const hasEnoughRows = Math.min(older.rows, newer.rows) >= minRowsForShares;
	const fieldsRead = new Set(newer.columns.flatMap(({ fields }) => fields));
	const severityWithout = ({ fields }: ColumnStructure): DriftSeverity =>
		fields.length === 0 ? "notice" : fields.every((field) => fieldsRead.has(field)) ? "warning" : "error";
	const haveField = (a: ColumnStructure, b: ColumnStructure) => a.fields.some((field) => b.fields.includes(field));
	const pairs = pairItems(older.columns, newer.columns, ({ header }) => header, haveField);
	return pairs.flatMap(([before, after]): Drift[] => {
		const at = { sheet: newer.sheet, column: after?.header ?? before?.header ?? null };
		const headers = { before: before?.header ?? null, after: after?.header ?? null };
		if (before === undefined) return [{ class: "column_new", severity: "notice", ...at, ...headers }];
		const severity = severityWithout(before);
		if (after === undefined) return [{ class: "column_gone", severity, ...at, ...headers }];
		const isRenamed = headerKey(before.header) !== headerKey(after.header);
		return [
			...(isRenamed ? [{ class: "column_renamed", severity, ...at, ...headers } as const] : []),
			...(hasEnoughRows ? valuesDrift(before, after, at) : []),
		];
	});
}

function valuesDrift(
	before: ColumnStructure,
	after: ColumnStructure,
	at: { sheet: string | null; column: string | null },
): Drift[] {
	const severity = (isLost: boolean): DriftSeverity =>
		after.fields.length === 0 ? "notice" : isLost ? "error" : "warning";
	const percent = (share: number) => `${(100 * share).toFixed(1)} % filled`;
	const isEmptied = before.filled > maxSparseShare && after.filled === 0;
	if (isEmptied || Math.abs(after.filled - before.filled) > maxFilledChange) {
		const figures = { before: percent(before.filled), after: percent(after.filled) };
		return [{ class: "nulls_jumped", severity: severity(isEmptied), ...at, ...figures }];
	}
	const [older, newer] = [commonKind(before), commonKind(after)];
	if (older === null || newer === null || older.kind === newer.kind) return [];
	if (older.share < minKindShare || (after.kinds[older.kind] ?? 0) > newer.count / 2) return [];
	// Numbers and days written as text are still read; other text is not.
	return [
		{ class: "type_changed", severity: severity(newer.kind === "text"), ...at, before: older.kind, after: newer.kind },
	];
}

function commonKind({ kinds }: ColumnStructure): { kind: ValueKind; share: number; count: number } | null {
	const counts = Object.entries(kinds) as [ValueKind, number][];
	const sum = counts.reduce((all, [, one]) => all + one, 0);
	const [mostCommon] = counts.sort(([, a], [, b]) => b - a);
	return mostCommon === undefined || sum < minRowsForShares
		? null
		: { kind: mostCommon[0], share: mostCommon[1] / sum, count: mostCommon[1] };
}
