/** Returns the origin of each value of a request. */
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { listFields, project } from "#libs/contract/records/project.ts";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { scoredRow, scoresOf } from "../../history/scored.ts";
import { notListedError, resolveProjectId } from "../../queues/operations/get-project.ts";
import { feedsOf, sourceOf } from "../../queues/sources/index.ts";
import type { Resources } from "../../resources.ts";
import { foldCase } from "../../sources/collector.ts";
import { type FieldOrigin, type FoundCell, findDecidingRow, findFieldOrigin, noCell } from "../cells-of-field.ts";
import { type OtherOrigin, toListingFiles } from "../computed-values.ts";
import { findOtherOrigins, queryOf } from "../other-publishers.ts";
import { filesOfOwners, findOwners, ignoreDamaged, ignoreUnreadable, rowOfOwner } from "../owners.ts";
import { CellCache, type CellReader } from "../read-rows.ts";
import { cacheSchedules, readSchedule } from "../schedule-rows.ts";
import {
	byPrecedence,
	findBerkeleyLabRow,
	findStatingLists,
	maxRecentLists,
	type RequestState,
	readState,
	type StatingList,
} from "../stating-lists.ts";

type Row = Reply<"getProjectProvenance">["data"][number];
type Value = Row["value"];

const fields = Object.keys(project.shape);
const listFieldNames: ReadonlySet<string> = new Set(listFields);

export function getProjectProvenance(resources: Resources): Handler<"getProjectProvenance"> {
	const { sql } = resources;
	const cellReader = new CellCache(sql);
	const schedules = cacheSchedules(readSchedule(sql));
	return async ({ project_id, region, field, ...asOf }) => {
		checkDay(resources, asOf);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveProjectId(sql, project_id, region);
		const state = await readState(sql, id, asOf);
		if (state === undefined) throw await notListedError(sql, id);
		const scores = await scoresOf(resources, asOf, [id]);
		if (scores !== undefined) state.body = { ...scoredRow(state.body, scores) };
		const lists = await findStatingLists(sql, id, state.feed, asOf);
		const lowerLists = await readLowerLists(resources, id, state, asOf);
		const lbnl = await findBerkeleyLabRow(sql, id, state.body, asOf);
		const computed = asOf.as_of === undefined ? await resources.computed?.(id) : undefined;
		const others = await findOtherOrigins(sql, id, { ...state, asOf, lbnl, computed });
		const context = { cellReader: cellReader.forOneResponse(), lists, lowerLists, lbnl, others, state };
		const data: Row[] = [];
		const onError = field === undefined ? ignoreUnreadable : ignoreDamaged;
		const owners =
			field === undefined || field === "owners" ? await findOwners(sql, { id, ...asOf }, schedules, onError) : [];
		for (const name of field === undefined ? fields : field === "owners" ? [] : [field])
			data.push(await readRow(name, context));
		if (field !== undefined) data.push(...(await readFactRows(data, context)));
		const see = `/projects/${encodeURIComponent(id)}/ownership${queryOf(asOf)}`;
		data.push(...owners.map((owner) => rowOfOwner(owner, see)));
		const reply: Reply<"getProjectProvenance"> = {
			project_id: id,
			data,
			files: [
				...[...lists, ...lowerLists, lbnl ?? []].flat().map(toFile),
				...toListingFiles(computed),
				...filesOfOwners(owners),
			],
		};
		return { json: JSON.stringify(reply), dataVersion };
	};
}

interface ReadContext {
	cellReader: CellReader;
	lists: StatingList[];
	lowerLists: StatingList[];
	lbnl: StatingList | undefined;
	others: OtherOrigin[];
	state: RequestState;
}

async function readFactRows(rows: readonly Row[], context: ReadContext): Promise<Row[]> {
	const known = new Set(rows.map(({ field }) => field));
	const found: Row[] = [];
	const wanted = rows.flatMap(({ facts }) => facts);
	for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
		if (known.has(name)) continue;
		known.add(name);
		const row = await readRow(name, context);
		found.push(row);
		wanted.push(...row.facts);
	}
	return found;
}

async function readLowerLists({ sql }: Resources, id: string, state: RequestState, asOf: AsOf): Promise<StatingList[]> {
	const feeds = feedsOf(state.region as ProjectRegion);
	const lowerFeeds = feeds.slice(feeds.indexOf(state.feed) + 1);
	const found = await Promise.all(lowerFeeds.map((feed) => findStatingLists(sql, id, feed, asOf, maxRecentLists)));
	return found.flatMap(([newest]) => newest ?? []);
}

async function readRow(field: string, context: ReadContext): Promise<Row> {
	const { lists, lowerLists, others, state } = context;
	const other = others.find(({ fields }) => fields.includes(field));
	const value = (state.body[field] ?? null) as Value;
	const completing = lowerLists.filter(({ feed }) => sourceOf(feed).completes === state.feed);
	const isCompleted = field === "components" && completing.length > 0 && Array.isArray(value) && value.length > 0;
	const stating = isCompleted ? completing : lists;
	const found = listFieldNames.has(field) ? await findOrigin(field, stating, context.cellReader) : undefined;
	const sha256 = found?.list.sha256 ?? null;
	const passedOver = found?.origin.passedOver ?? [];
	const overruled = [
		...passedOver.map(({ value, cell }) => ({ value, source: "the same row", sha256, ...cell })),
		...(await readLowerValues(field, value, context)),
	];
	if (other === undefined)
		return {
			...blankRow(field, value),
			...(found !== undefined && {
				...{ file: found.list.name, sha256, ...found.origin.cell, ...findRule(field, found) },
				...{ confidence: toConfidence(field, value, found.origin, state), inputs: found.origin.inputs },
			}),
			overruled,
		};
	const { rule, evidence, filed, see, report, facts = [], citations = [] } = other;
	const filedValue = {
		value: (filed?.[field] ?? null) as Value,
		source: found?.list.name ?? state.feed,
		sha256,
		...(found?.origin.cell ?? noCell),
	};
	return {
		...{
			...blankRow(field, value),
			...report,
			facts: facts.filter((name) => name !== field),
			citations,
			rule,
			evidence,
		},
		confidence: evidence?.confidence ?? null,
		see,
		overruled: filed === null ? overruled : [filedValue, ...overruled],
	};
}

const blankRow = (field: string, value: Value): Row => ({
	field,
	value,
	file: null,
	sha256: null,
	...noCell,
	rule: field === "id" ? "list.id" : "list.stated",
	confidence: null,
	inputs: [],
	facts: [],
	citations: [],
	overruled: [],
	evidence: null,
	see: null,
});

/** Returns null unless the cell was read: a cell of a damaged archive has no confidence. */
function toConfidence(
	field: string,
	value: Value,
	{ stated, cell }: FieldOrigin,
	{ body }: RequestState,
): number | null {
	if (field === "construction_stage") return body.construction_stage_confidence as number;
	return stated && value !== null && cell.raw !== null ? 1 : null;
}

async function findOrigin(field: string, lists: readonly StatingList[], cellReader: CellReader) {
	let first: { list: StatingList; origin: FieldOrigin } | undefined;
	for (const list of byPrecedence(field, lists)) {
		const origin = await originInList(field, list, cellReader);
		if (origin === undefined) continue;
		first ??= { list, origin };
		if (origin.cell.raw !== null || origin.cell.header === null) return { list, origin };
	}
	return first;
}

async function originInList(
	field: string,
	list: StatingList,
	cellReader: CellReader,
): Promise<FieldOrigin | undefined> {
	const row = findDecidingRow(field, list.origins);
	if (row === undefined || list.tables === null) return undefined;
	return findFieldOrigin(
		field,
		list.tables,
		list.origins,
		list.cells ?? (await cellReader.row(list, row.table, row.row)),
	);
}

async function readLowerValues(
	field: string,
	value: Value,
	{ lowerLists, lbnl, cellReader }: ReadContext,
): Promise<Row["overruled"]> {
	if (!listFieldNames.has(field)) return [];
	const overruled: Row["overruled"] = [];
	// Berkeley Lab's row counts only if it contains the field.
	const hasField = lbnl?.tables?.[lbnl.origins[0]?.table ?? 0]?.fields[field] !== undefined;
	for (const list of hasField && lbnl !== undefined ? [...lowerLists, lbnl] : lowerLists) {
		const origin = await originInList(field, list, cellReader);
		const lowerValue = (list.unmerged?.[field] ?? origin?.value ?? null) as Value;
		if (lowerValue === null || JSON.stringify(lowerValue) === JSON.stringify(value)) continue;
		const cell: FoundCell = origin?.cell ?? noCell;
		overruled.push({ value: lowerValue, source: list.name, sha256: list.sha256, ...cell });
	}
	return overruled;
}

const toFile = (list: StatingList): Reply<"getProjectProvenance">["files"][number] => ({
	sha256: list.sha256,
	name: list.name,
	feed: list.feed,
	url: list.url,
	loaded_at: list.loadedAt,
	published_on: list.publishedOn,
	as_of: list.asOf,
	snapshot_id: list.snapshotId,
});

/** Returns `vocabulary.mapped` if a person mapped the filed value, else the adapter's rule. */
function findRule(
	field: string,
	{ list, origin }: { list: StatingList; origin: FieldOrigin },
): Pick<Row, "rule" | "evidence"> {
	const mapped = findMapping(field, list, origin);
	if (mapped === undefined || isDerived(field, list)) return { rule: origin.rule, evidence: null };
	const { word, means, author, on } = mapped;
	const text = `"${word}" is read as "${means}", mapped by ${author} on ${on}`;
	return { rule: "vocabulary.mapped", evidence: { method: "vocabulary.mapped", confidence: null, text } };
}

/** Fields that combine several cells but keep the filed values, so that no mapping applies. */
const filedFields: ReadonlySet<string> = new Set(["type", "status"]);
const technologyFields: ReadonlySet<string> = new Set(["type_std", "components", "kind"]);

/** Finds the mapping that was applied: it matches a whole cell or, for technology fields, a part of one. */
function findMapping(field: string, { mapped, feed }: StatingList, { stated, cell, inputs }: FieldOrigin) {
	if (stated || mapped === null || filedFields.has(field)) return undefined;
	const cells = [cell, ...inputs].map(({ raw }) => foldCase(raw));
	return mapped.find(({ field: column, word }) => {
		if (sourceOf(feed).words?.[column] !== "technology") return cells.includes(foldCase(word));
		return technologyFields.has(field) && cells.some((filed) => filed.includes(foldCase(word)));
	});
}

/** Whether the field is only derived from other fields, whose rows in the response contain the mapping. */
const isDerived = (field: string, { tables }: StatingList): boolean =>
	!(tables ?? []).some(({ fields }) => fields[field] !== undefined);
