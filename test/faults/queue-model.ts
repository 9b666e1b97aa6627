/** An operator's list as it goes on from one snapshot to the next, and a model of what it says that knows nothing of how it is stored. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { random } from "../support/file-formats.ts";
import { type QueueRow, type QueueStatus, queueNumber, queueRows } from "../support/queue-files.ts";
import { regionOf } from "./ingest-world.ts";

/** A list that keeps finished requests, and one that may lose them. */
export const killedFeeds = ["miso", "spp"] as const;
export type KilledFeed = (typeof killedFeeds)[number];

/** The operators' words for a status. */
const words: Record<KilledFeed, Record<QueueStatus, string>> = {
	miso: { active: "Active", suspended: "Active", operational: "Done", withdrawn: "Withdrawn" },
	spp: {
		active: "DISIS STAGE",
		suspended: "IA FULLY EXECUTED/ON SUSPENSION",
		operational: "IA FULLY EXECUTED/COMMERCIAL OPERATION",
		withdrawn: "WITHDRAWN",
	},
};
const foretold = ["new_project", "status_change", "capacity_change", "cod_change", "disappeared", "correction"];
/** Changes that the model foretells; the rest follows from a change of status in each operator's way. */
export const isForetold = (sql: Sql): Fragment =>
	sql`(change_type = any(${foretold}::text[]) or field_name = 'withdrawn_date')`;

interface Project {
	row: QueueRow;
	version: number;
	missingSince: string | null;
	disappearedAt: string | null;
}

export interface Counts {
	rows: number;
	new: number;
	changed: number;
	disappeared: number;
}

/** A feed's expected state after the lists that were applied. */
export class Model {
	readonly feed: KilledFeed;
	readonly projects = new Map<string, Project>();
	/** `id | detected_at | change_type | field | old | new`. */
	readonly changes: string[] = [];
	readonly applied: (Counts & { asOf: string })[] = [];

	constructor(feed: KilledFeed) {
		this.feed = feed;
	}

	apply(rows: readonly QueueRow[], asOf: string): void {
		const isBaseline = this.applied.length === 0;
		const counts: Counts = { rows: rows.length, new: 0, changed: 0, disappeared: 0 };
		const tell = (id: string, type: string, field: string | null, from: string | null, to: string | null) =>
			this.changes.push([id, asOf, type, field, from, to].join(" | "));
		const listed = new Set<string>();
		for (const row of rows) {
			const id = `${regionOf(this.feed)}-${row.number}`;
			listed.add(id);
			const project = this.projects.get(id);
			if (project === undefined) {
				this.projects.set(id, { row, version: 1, missingSince: null, disappearedAt: null });
				counts.new++;
				if (!isBaseline) tell(id, "new_project", null, null, this.word(row));
			} else if (this.#update(id, project, row, tell)) counts.changed++;
		}
		for (const [id, project] of this.projects) if (!listed.has(id)) this.#absent(id, project, asOf, counts, tell);
		this.applied.push({ ...counts, asOf });
	}

	word = (row: QueueRow): string => words[this.feed][row.status];

	#update(id: string, project: Project, row: QueueRow, tell: Teller): boolean {
		const before = project.row;
		const changes: Parameters<Teller>[] = [];
		if (this.word(row) !== this.word(before))
			changes.push([id, "status_change", "status", this.word(before), this.word(row)]);
		if (row.mw !== before.mw) changes.push([id, "capacity_change", "capacity_mw", String(before.mw), String(row.mw)]);
		if (row.cod !== before.cod) changes.push([id, "cod_change", "cod", before.cod, row.cod]);
		// Both lists state it. It changes without the status when the list between was never applied.
		if (withdrawnOn(row) !== withdrawnOn(before))
			changes.push([id, "field_update", "withdrawn_date", withdrawnOn(before), withdrawnOn(row)]);
		if (project.disappearedAt !== null) tell(id, "correction", "missing_since", project.missingSince, null);
		for (const one of changes) tell(...one);
		if (changes.length > 0 || project.missingSince !== null) project.version++;
		Object.assign(project, { row, missingSince: null, disappearedAt: null });
		return changes.length > 0;
	}

	/** The first absence is only noted; the second, three days later or more, is a change. */
	#absent(id: string, project: Project, asOf: string, counts: Counts, tell: Teller): void {
		const isFinished = project.row.status === "withdrawn" || project.row.status === "operational";
		if (project.missingSince === null) {
			if (this.feed === "spp" && isFinished) return;
			project.missingSince = asOf;
			project.version++;
			counts.disappeared++;
		} else if (
			project.disappearedAt === null &&
			Date.parse(asOf) - Date.parse(project.missingSince) >= 3 * 86_400_000
		) {
			project.disappearedAt = asOf;
			project.version++;
			tell(id, "disappeared", "missing_since", null, project.missingSince);
		}
	}
}
const withdrawnOn = ({ status, ended }: QueueRow) => (status === "withdrawn" ? ended : null);
type Teller = (id: string, type: string, field: string | null, from: string | null, to: string | null) => void;

/** An operator's list as it goes on from one snapshot to the next, a little at a time. */
export class Operator {
	rows: QueueRow[];
	#gone: QueueRow[] = [];
	#next: () => number;
	#numbers: number;
	readonly feed: KilledFeed;

	constructor(feed: KilledFeed, count: number, seed: number) {
		this.feed = feed;
		this.rows = queueRows(feed, { count, seed });
		this.#numbers = count;
		this.#next = random(seed * 7919 + 1);
	}

	/** Few enough at once for no guard to object: it is the crash that is tried here. */
	goOn(): void {
		const next = this.#next;
		const returning = this.#gone.filter(() => next() < 0.25);
		this.#gone = this.#gone.filter((row) => !returning.includes(row));
		const leaving = this.rows.filter(() => next() < 1 / this.rows.length);
		this.#gone.push(...leaving);
		const staying = this.rows.filter((row) => !leaving.includes(row));
		this.rows = [...staying, ...returning].map((row) => (next() < 0.03 ? this.#changed(row) : row));
		for (let added = Math.floor(next() * 4); added > 0; added--) this.#add();
		// Lists come in any order.
		if (next() < 0.3) this.rows.reverse();
	}

	#changed(row: QueueRow): QueueRow {
		const kind = this.#next();
		if (kind < 0.4) return { ...row, mw: Math.round(10 + this.#next() * 390) };
		if (kind < 0.6) return { ...row, cod: `203${Math.floor(this.#next() * 9)}-06-01` };
		if (row.status === "withdrawn" && kind < 0.8) return { ...row, ended: "2024-12-20" };
		if (row.status !== "active") return { ...row, status: "active", ended: null };
		return { ...row, status: kind < 0.8 ? "withdrawn" : "operational", ended: "2024-12-15" };
	}

	#add(): void {
		const number = ++this.#numbers;
		const made = queueRows(this.feed, { count: 1, seed: number }).at(0);
		if (made === undefined) throw new Error("no row");
		this.rows.push({
			...made,
			number: queueNumber(this.feed, number),
			poi: `New ${number} 138 kV`,
			name: `New ${number}`,
		});
	}
}
