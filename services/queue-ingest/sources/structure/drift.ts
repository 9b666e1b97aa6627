/** Compares the structure of a list with that of the list accepted before it. Pure. It only informs: guards decide. */
import type { Reply } from "#libs/contract/index.ts";
import type { DriftClass, DriftSeverity, ValueKind } from "#libs/contract/vocabulary.ts";
import { headerKey } from "#libs/files/table.ts";
import type { ColumnStructure, TableStructure } from "./structure.ts";

export type Drift = Reply<"getSourceContracts">["data"][number]["drift"][number];

export interface ComparedList {
	tables: readonly TableStructure[];
	unknown: readonly { field: string; value: string }[];
}

/** A larger relative change in the number of rows is reported. */
const rowsJump = 0.25;
/** Smaller sheets, such as a month's new requests, may double from one list to the next. */
const leastRowsJump = 100;
/** A larger change in a column's share of filled cells is reported. */
const filledJump = 0.2;
/** A column with at most this share of filled cells may become empty. */
const everFilled = 0.05;
/** A change of kind is reported if at least this share of the cells had one kind. */
const mostlyOneKind = 0.8;
/** Shares are compared only from this number of rows. */
const leastRows = 20;
/** Most differences reported: a file with more is another list. */
const maxItems = 200;

export function driftBetween(before: ComparedList, after: ComparedList): Drift[] {
	const pairs = pairItems(before.tables, after.tables, ({ sheet }) => sheet ?? "");
	const items: Drift[] = pairs.flatMap(([was, is]): Drift[] => {
		if (was === undefined || is === undefined) return [sheetDrift(was, is)];
		const renamed = headerKey(was.sheet) === headerKey(is.sheet) ? [] : [sheetDrift(was, is)];
		return [...renamed, ...rowsDrift(was, is), ...columnsDrift(was, is)];
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
	return items.slice(0, maxItems);
}

/** Pairs items by name, repeated names in order; the rest by `areSame`, else by position if both lists are equally long. */
function pairItems<T>(
	before: readonly T[],
	after: readonly T[],
	nameOf: (one: T) => string,
	areSame: (was: T, is: T) => boolean = () => false,
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
	const [was, is] = [numbered(before), numbered(after)];
	const byKey = new Map(is.map((entry) => [entry.key, entry]));
	const taken = new Set<unknown>();
	const pairs: [T | undefined, T | undefined][] = [];
	const left = was.filter((entry) => {
		const same = byKey.get(entry.key);
		if (same === undefined) return true;
		taken.add(same);
		pairs.push([entry.one, same.one]);
		return false;
	});
	const fresh = is.filter((entry) => !taken.has(entry));
	for (const entry of left) {
		// A column in the position of a removed one, with the number of columns unchanged, is that column renamed.
		const one = fresh.findIndex(({ one }) => areSame(entry.one, one));
		const place = one >= 0 || before.length !== after.length ? one : fresh.findIndex(({ at }) => at === entry.at);
		const [inPlace] = place < 0 ? [] : fresh.splice(place, 1);
		pairs.push([entry.one, inPlace?.one]);
	}
	return [...pairs, ...fresh.map(({ one }): [undefined, T] => [undefined, one])];
}

function sheetDrift(was: TableStructure | undefined, is: TableStructure | undefined): Drift {
	const [before, after] = [was?.sheet ?? null, is?.sheet ?? null];
	const named: DriftClass = was === undefined ? "sheet_new" : is === undefined ? "sheet_gone" : "sheet_renamed";
	const severity: DriftSeverity = named === "sheet_gone" ? "error" : "warning";
	return { class: named, severity, sheet: after ?? before, column: null, before, after };
}

function rowsDrift(was: TableStructure, is: TableStructure): Drift[] {
	const most = Math.max(was.rows, is.rows);
	if (most < leastRowsJump || Math.abs(is.rows - was.rows) <= rowsJump * Math.max(was.rows, 1)) return [];
	const figures = { before: String(was.rows), after: String(is.rows) };
	return [{ class: "rows_jumped", severity: "warning", sheet: is.sheet, column: null, ...figures }];
}

function columnsDrift(was: TableStructure, is: TableStructure): Drift[] {
	const tellsShares = Math.min(was.rows, is.rows) >= leastRows;
	const readNow = new Set(is.columns.flatMap(({ fields }) => fields));
	const severityWithout = ({ fields }: ColumnStructure): DriftSeverity =>
		fields.length === 0 ? "notice" : fields.every((field) => readNow.has(field)) ? "warning" : "error";
	const haveField = (a: ColumnStructure, b: ColumnStructure) => a.fields.some((field) => b.fields.includes(field));
	const pairs = pairItems(was.columns, is.columns, ({ header }) => header, haveField);
	return pairs.flatMap(([before, after]): Drift[] => {
		const at = { sheet: is.sheet, column: after?.header ?? before?.header ?? null };
		const headers = { before: before?.header ?? null, after: after?.header ?? null };
		if (before === undefined) return [{ class: "column_new", severity: "notice", ...at, ...headers }];
		const severity = severityWithout(before);
		if (after === undefined) return [{ class: "column_gone", severity, ...at, ...headers }];
		const isRenamed = headerKey(before.header) !== headerKey(after.header);
		return [
			...(isRenamed ? [{ class: "column_renamed", severity, ...at, ...headers } as const] : []),
			...(tellsShares ? valuesDrift(before, after, at) : []),
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
	const isEmptied = before.filled > everFilled && after.filled === 0;
	if (isEmptied || Math.abs(after.filled - before.filled) > filledJump) {
		const figures = { before: percent(before.filled), after: percent(after.filled) };
		return [{ class: "nulls_jumped", severity: severity(isEmptied), ...at, ...figures }];
	}
	const [was, is] = [commonKind(before), commonKind(after)];
	if (was === null || is === null || was.kind === is.kind) return [];
	if (was.share < mostlyOneKind || (after.kinds[was.kind] ?? 0) > is.count / 2) return [];
	// Numbers and days written as text are still read; other text is not.
	return [{ class: "type_changed", severity: severity(is.kind === "text"), ...at, before: was.kind, after: is.kind }];
}

function commonKind({ kinds }: ColumnStructure): { kind: ValueKind; share: number; count: number } | null {
	const counts = Object.entries(kinds) as [ValueKind, number][];
	const sum = counts.reduce((all, [, one]) => all + one, 0);
	const [most] = counts.sort(([, a], [, b]) => b - a);
	return most === undefined || sum < leastRows ? null : { kind: most[0], share: most[1] / sum, count: most[1] };
}
