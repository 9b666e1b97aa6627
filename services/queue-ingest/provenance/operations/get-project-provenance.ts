/** States where each value of a request comes from. */
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
import { cellsOfField, type FieldOrigin, type FoundCell, findDecidingRow, noCell } from "../cells-of-field.ts";
import { filesOf, type OtherPublisher } from "../computed-values.ts";
import { otherPublishers, queryOf } from "../other-publishers.ts";
import { filesOfOwners, ignoreDamaged, ignoreUnreadable, ownersOf, rowOfOwner } from "../owners.ts";
import { CellCache, type CellReader } from "../read-rows.ts";
import { cacheSchedules, readSchedule } from "../schedule-rows.ts";
import {
	byPrecedence,
	findBerkeleyLabRow,
	findStatingLists,
	type RequestState,
	recentLists,
	type StatingList,
	stateOf,
} from "../stating-lists.ts";

type Row = Reply<"getProjectProvenance">["data"][number];
type Value = Row["value"];

const fields = Object.keys(project.shape);
const listFieldNames: ReadonlySet<string> = new Set(listFields);

export function getProjectProvenance(resources: Resources): Handler<"getProjectProvenance"> {
	const { sql } = resources;
	const kept = new CellCache(sql);
	const schedules = cacheSchedules(readSchedule(sql));
	return async ({ project_id, region, field, ...asOf }) => {
		checkDay(resources, asOf);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveProjectId(sql, project_id, region);
		const state = await stateOf(sql, id, asOf);
		if (state === undefined) throw await notListedError(sql, id);
		const scores = await scoresOf(resources, asOf, [id]);
		if (scores !== undefined) state.body = { ...scoredRow(state.body, scores) };
		const lists = await findStatingLists(sql, id, state.feed, asOf);
		const lower = await readLowerLists(resources, id, state, asOf);
		const lbnl = await findBerkeleyLabRow(sql, id, state.body, asOf);
		const computed = asOf.as_of === undefined ? await resources.computed?.(id) : undefined;
		const others = await otherPublishers(sql, id, { ...state, asOf, lbnl, computed });
		const reading = { kept: kept.forOneResponse(), lists, lower, lbnl, others, state };
		const data: Row[] = [];
		const onError = field === undefined ? ignoreUnreadable : ignoreDamaged;
		const owners =
			field === undefined || field === "owners" ? await ownersOf(sql, { id, ...asOf }, schedules, onError) : [];
		for (const name of field === undefined ? fields : field === "owners" ? [] : [field])
			data.push(await rowOf(name, reading));
		if (field !== undefined) data.push(...(await rowsOfFacts(data, reading)));
		const see = `/projects/${encodeURIComponent(id)}/ownership${queryOf(asOf)}`;
		data.push(...owners.map((owner) => rowOfOwner(owner, see)));
		const reply: Reply<"getProjectProvenance"> = {
			project_id: id,
			data,
			files: [...[...lists, ...lower, lbnl ?? []].flat().map(fileOf), ...filesOf(computed), ...filesOfOwners(owners)],
		};
		return { json: JSON.stringify(reply), dataVersion };
	};
}

interface Reading {
	kept: CellReader;
	lists: StatingList[];
	lower: StatingList[];
	lbnl: StatingList | undefined;
	others: OtherPublisher[];
	state: RequestState;
}

async function rowsOfFacts(rows: readonly Row[], reading: Reading): Promise<Row[]> {
	const known = new Set(rows.map(({ field }) => field));
	const found: Row[] = [];
	const wanted = rows.flatMap(({ facts }) => facts);
	for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
		if (known.has(name)) continue;
		known.add(name);
		const row = await rowOf(name, reading);
		found.push(row);
		wanted.push(...row.facts);
	}
	return found;
}

async function readLowerLists({ sql }: Resources, id: string, state: RequestState, asOf: AsOf): Promise<StatingList[]> {
	const feeds = feedsOf(state.region as ProjectRegion);
	const below = feeds.slice(feeds.indexOf(state.feed) + 1);
	const found = await Promise.all(below.map((feed) => findStatingLists(sql, id, feed, asOf, recentLists)));
	return found.flatMap(([newest]) => newest ?? []);
}

async function rowOf(field: string, reading: Reading): Promise<Row> {
	const { lists, lower, others, state } = reading;
	const other = others.find(({ fields }) => fields.includes(field));
	const value = (state.body[field] ?? null) as Value;
	const completing = lower.filter(({ feed }) => sourceOf(feed).completes === state.feed);
	const isCompleted = field === "components" && completing.length > 0 && Array.isArray(value) && value.length > 0;
	const stating = isCompleted ? completing : lists;
	const found = listFieldNames.has(field) ? await findOrigin(field, stating, reading.kept) : undefined;
	const sha256 = found?.list.sha256 ?? null;
	const passedOver = found?.origin.passedOver ?? [];
	const overruled = [
		...passedOver.map(({ value, cell }) => ({ value, source: "the same row", sha256, ...cell })),
		...(await lowerValues(field, value, reading)),
	];
	if (other === undefined)
		return {
			...blankRow(field, value),
			...(found !== undefined && {
				...{ file: found.list.name, sha256, ...found.origin.cell, ...findRule(field, found) },
				...{ confidence: confidenceOf(field, value, found.origin, state), inputs: found.origin.inputs },
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

/** Null unless the cell was read: a cell of a damaged archive has no confidence. */
function confidenceOf(
	field: string,
	value: Value,
	{ stated, cell }: FieldOrigin,
	{ body }: RequestState,
): number | null {
	if (field === "construction_stage") return body.construction_stage_confidence as number;
	return stated && value !== null && cell.raw !== null ? 1 : null;
}

async function findOrigin(field: string, lists: readonly StatingList[], kept: CellReader) {
	let first: { list: StatingList; origin: FieldOrigin } | undefined;
	for (const list of byPrecedence(field, lists)) {
		const origin = await originInList(field, list, kept);
		if (origin === undefined) continue;
		first ??= { list, origin };
		if (origin.cell.raw !== null || origin.cell.header === null) return { list, origin };
	}
	return first;
}

async function originInList(field: string, list: StatingList, kept: CellReader): Promise<FieldOrigin | undefined> {
	const row = findDecidingRow(field, list.origins);
	if (row === undefined || list.tables === null) return undefined;
	return cellsOfField(field, list.tables, list.origins, list.cells ?? (await kept.row(list, row.table, row.row)));
}

async function lowerValues(field: string, value: Value, { lower, lbnl, kept }: Reading): Promise<Row["overruled"]> {
	if (!listFieldNames.has(field)) return [];
	const overruled: Row["overruled"] = [];
	// Berkeley Lab's row counts only if it states the field.
	const states = lbnl?.tables?.[lbnl.origins[0]?.table ?? 0]?.fields[field] !== undefined;
	for (const list of states && lbnl !== undefined ? [...lower, lbnl] : lower) {
		const origin = await originInList(field, list, kept);
		const lowerValue = (list.unmerged?.[field] ?? origin?.value ?? null) as Value;
		if (lowerValue === null || JSON.stringify(lowerValue) === JSON.stringify(value)) continue;
		const cell: FoundCell = origin?.cell ?? noCell;
		overruled.push({ value: lowerValue, source: list.name, sha256: list.sha256, ...cell });
	}
	return overruled;
}

const fileOf = (list: StatingList): Reply<"getProjectProvenance">["files"][number] => ({
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
const asFiled: ReadonlySet<string> = new Set(["type", "status"]);
const ofTechnology: ReadonlySet<string> = new Set(["type_std", "components", "kind"]);

/** The applied mapping. It matches a whole cell; technologies may be part of one, so technology fields match on parts. */
function findMapping(field: string, { mapped, feed }: StatingList, { stated, cell, inputs }: FieldOrigin) {
	if (stated || mapped === null || asFiled.has(field)) return undefined;
	const cells = [cell, ...inputs].map(({ raw }) => foldCase(raw));
	return mapped.find(({ field: column, word }) => {
		if (sourceOf(feed).words?.[column] !== "technology") return cells.includes(foldCase(word));
		return ofTechnology.has(field) && cells.some((filed) => filed.includes(foldCase(word)));
	});
}

/** Whether the field is derived from other fields, whose own rows show the mapping, and no table states the field itself. */
const isDerived = (field: string, { tables }: StatingList): boolean =>
	!(tables ?? []).some(({ fields }) => fields[field] !== undefined);
