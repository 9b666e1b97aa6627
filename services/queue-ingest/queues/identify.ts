/**
 * Finds the project that a row describes. The id of a project never changes; every number under which it was filed, in any spelling,
 * identifies it. Statuses are not compared. Pure.
 */
import type { ListGroup } from "../sources/source.ts";

/** Fields that decide whether a row of the new list describes a known project. */
interface Described {
	name: string | null;
	unit: string | null;
	poi: string | null;
	typeStd: string;
	capacityMw: number | null;
	queueDate: string | null;
}

interface Filed extends Described {
	/** Normalized number: the same for every spelling. */
	key: string;
	/** The number as it appears in ids. */
	label: string;
}

export interface Known extends Described {
	id: string;
	/** Keys of all numbers under which the project was filed. */
	keys: string[];
	/** Whether the previous list of the same feed contains the project: only then can it have been renumbered. */
	sameFeed: boolean;
}

export interface Identity {
	id: string;
	isNew: boolean;
	/** Whether the operator has given the project a new number. */
	renumbered: boolean;
}

/** Returns one identity per row, in the order of the rows. */
export function identify(group: ListGroup, rows: readonly Filed[], known: readonly Known[]): Identity[] {
	const identities: (Identity | undefined)[] = new Array(rows.length);
	const matched = new Set<string>();
	const assign = (row: number, project: Known, renumbered: boolean) => {
		identities[row] = { id: project.id, isNew: false, renumbered };
		matched.add(project.id);
	};
	const byKey = groupProjectsByKey(known);
	for (const [key, repeats] of groupRowsByKey(rows)) {
		const candidates = byKey.get(key) ?? [];
		for (const [row, project] of matchRepeats(rows, repeats, candidates)) assign(row, project, false);
	}
	const unmatchedRows = rows.map((_, row) => row).filter((row) => identities[row] === undefined);
	const vanished = known.filter((project) => project.sameFeed && !matched.has(project.id));
	for (const [row, project] of pairRenumbered(rows, unmatchedRows, vanished)) assign(row, project, true);

	const taken = new Set(known.map((project) => project.id));
	for (const row of unmatchedRows) {
		if (identities[row] !== undefined) continue;
		const id = freeId(`${group}-${rows[row]?.label}`, taken);
		identities[row] = { id, isNew: true, renumbered: false };
	}
	return identities as Identity[];
}

function groupRowsByKey(rows: readonly Filed[]): Map<string, number[]> {
	const groups = new Map<string, number[]>();
	for (const [at, row] of rows.entries()) groups.set(row.key, [...(groups.get(row.key) ?? []), at]);
	return groups;
}

function groupProjectsByKey(known: readonly Known[]): Map<string, Known[]> {
	const groups = new Map<string, Known[]>();
	for (const project of known) for (const key of project.keys) groups.set(key, [...(groups.get(key) ?? []), project]);
	return groups;
}

/**
 * Matches rows and projects of one number by name and unit, then by name, then by unit, and the rest in first-seen order, so that a renamed
 * request keeps its id.
 */
function matchRepeats(rows: readonly Filed[], group: number[], candidates: Known[]): [number, Known][] {
	const pairs: [number, Known][] = [];
	let openRows = group;
	let openProjects = [...candidates];
	const criteria: ((row: Filed, project: Known) => boolean)[] = [
		(row, project) =>
			normalize(row.name) === normalize(project.name) && normalize(row.unit) === normalize(project.unit),
		(row, project) => normalize(row.name) === normalize(project.name),
		(row, project) => normalize(row.unit) === normalize(project.unit) && row.unit !== null,
		() => true,
	];
	for (const fits of criteria) {
		openRows = openRows.filter((at) => {
			const row = rows[at];
			const project = row === undefined ? undefined : openProjects.find((candidate) => fits(row, candidate));
			if (project === undefined) return true;
			pairs.push([at, project]);
			openProjects = openProjects.filter((candidate) => candidate !== project);
			return false;
		});
		if (openRows.length === 0 || openProjects.length === 0) break;
	}
	return pairs;
}

/**
 * Pairs vanished numbers with new ones. They are one request if point of interconnection, technology and queue date are the same, the
 * capacity is within 5 %, and no other pair fits. A split request (075 to 075A and 075B) continues as its first part, whose capacity may differ.
 */
function pairRenumbered(rows: readonly Filed[], openRows: number[], vanished: Known[]): [number, Known][] {
	const pairs: [number, Known][] = [];
	const used = new Set<number>();
	// Compares only similar requests, because an operator may renumber a list of tens of thousands.
	const rowsByLikeness = Map.groupBy(openRows, (at) => likeness(rows[at]));
	const vanishedByLikeness = Map.groupBy(vanished, likeness);
	for (const project of vanished) {
		const similarRows = (rowsByLikeness.get(likeness(project)) ?? []).filter((at) => !used.has(at));
		const parts = similarRows.filter((at) => isPartOf(rows[at], project)).sort((a, b) => a - b);
		const [twin, ...otherTwins] = similarRows.filter((at) => isTwinOf(rows[at], project));
		const isOnlyMatch = (at: number) =>
			vanishedByLikeness.get(likeness(project))?.filter((other) => isTwinOf(rows[at], other)).length === 1;
		const row = twin !== undefined && otherTwins.length === 0 && isOnlyMatch(twin) ? twin : parts[0];
		if (row === undefined) continue;
		used.add(row);
		pairs.push([row, project]);
	}
	return pairs;
}

/** Equal for requests of one technology at one point of interconnection. */
const likeness = (request: Described | undefined): string => `${request?.typeStd} ${normalize(request?.poi ?? null)}`;

/** Expects requests with the same `likeness`. */
function isTwinOf(row: Filed | undefined, project: Known): boolean {
	if (row === undefined || row.poi === null || row.queueDate === null || row.capacityMw === null) return false;
	if (project.capacityMw === null || project.queueDate !== row.queueDate) return false;
	return Math.abs(row.capacityMw - project.capacityMw) <= 0.05 * project.capacityMw;
}

/** Expects requests with the same `likeness`. `GEN-2017-075A` is a part of `GEN-2017-075`; `C24-052` and `C24-052-001` are one request. */
function isPartOf(row: Filed | undefined, project: Known): boolean {
	if (row === undefined) return false;
	return project.keys.some((key) => {
		const [short, long] = key.length < row.key.length ? [key, row.key] : [row.key, key];
		return long.startsWith(short) && /^([A-Z]|-\d{1,3})$/.test(long.slice(short.length));
	});
}

function freeId(wanted: string, taken: Set<string>): string {
	let id = wanted;
	for (let repeat = 2; taken.has(id); repeat++) id = `${wanted}~${repeat}`;
	taken.add(id);
	return id;
}

/** Without case, white space and punctuation. */
function normalize(value: string | null): string {
	return (value ?? "")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
