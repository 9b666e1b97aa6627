/** A queue with a list of ERCOT's, which names developers, and what scoring says of it. */
import { expect } from "vitest";
import type { z } from "zod";
import { developerRated, projectScored } from "#libs/contract/events/scoring.ts";
import { project } from "#libs/contract/records/project.ts";
import { copyRatings, copyScores } from "../../../services/queue-ingest/reactions.ts";
import { type QueueRow, queueFile, queueRows } from "../../support/queue-files.ts";
import type { Queue } from "./queue.ts";

type Scored = z.output<typeof projectScored.payload>;
export type Rated = z.output<typeof developerRated.payload>;

const filed = ["Invenergy LLC", "Invenergy LLC", "Avantus LLC", "Quillfeather Renewables LLC"];

/** 120 active requests; the first four name developers. */
export const ercotRows = (change: (row: QueueRow, at: number) => Partial<QueueRow> = () => ({})): QueueRow[] =>
	queueRows("ercot").map((row, at) => {
		const open = { ...row, status: "active" as const, ended: null, developer: filed[at] ?? "Confidential" };
		return { ...open, ...change(open, at) };
	});
const numbers = ercotRows().map(({ number }) => number);
export const idOf = (at: number): string => `ERCOT-${numbers[at]}`;

export async function takeErcot(queue: Queue, day: string, list: QueueRow[] = ercotRows()): Promise<void> {
	expect(await queue.take("ERCOT", day, await queueFile("ercot", list))).toMatchObject({ outcome: "applied" });
}

/** The list is taken in; its events are delivered. */
export async function fillScored(queue: Queue): Promise<void> {
	await takeErcot(queue, "2026-03-01");
	await queue.sql`delete from outbox`;
}

const occurred_at = "2026-03-02T00:00:00Z";

export const scored = (project_id: string, facts: Partial<Scored> & { version: number }): Scored =>
	projectScored.payload.parse({
		id: `project.scored:${project_id}:${facts.version}`,
		occurred_at,
		project_id,
		score_version: 1,
		inputs_hash: "abc",
		investability_score: 81,
		grade: "A",
		investable: true,
		p_cod_36: 0.73,
		tax_credit_type: "ITC",
		tax_credit_status: "conditional",
		effective_credit_rate: 0.4,
		estimated_credit_value: 52_000_000.5,
		energy_community_eligible: true,
		low_income_eligible: null,
		domestic_content_eligible: null,
		domestic_content_basis: "technology",
		...facts,
	});

/** Scores of a request that was withdrawn or built. */
export const unscored = (project_id: string, version: number): Scored => {
	const { id, occurred_at: at, score_version, ...rest } = scored(project_id, { version });
	const nothing = Object.fromEntries(Object.keys(rest).map((name) => [name, null]));
	return projectScored.payload.parse({ ...nothing, id, occurred_at: at, version, project_id, score_version });
};

export const rated = (developer_id: number, facts: Partial<Rated> & { version: number }): Rated =>
	developerRated.payload.parse({
		id: `developer.rated:${developer_id}:${facts.version}`,
		occurred_at,
		developer_id,
		developer_canonical: "as scoring calls it",
		needs_capital: true,
		needs_capital_reasons: ["behind_schedule"],
		tax_credit_activity: "high",
		capital_raised: 0,
		distress_level: "Elevated",
		distress_score: 55,
		...facts,
	});

/** Delivers events, in one batch. */
export const score = (queue: Queue, ...events: Scored[]) => queue.sql.begin((tx) => copyScores.handler(tx, events));
export const rate = (queue: Queue, ...events: Rated[]) => queue.sql.begin((tx) => copyRatings.handler(tx, events));

export const projectOf = (queue: Queue, at: number) => queue.ask("getProject", { project_id: idOf(at) });
export const developerIdOf = async (queue: Queue, name: string): Promise<number> =>
	(await queue.ask("getDeveloper", { developer_id: name })).data.developer_id;

/** Every body is what its columns are, in the contract's order of fields, and every request has its developer's need of capital. */
export async function expectTrue({ sql }: Queue): Promise<void> {
	const moments = ["first_seen_at", "last_changed_at", "missing_since"];
	const columns = Object.keys(project.shape).map((name) => (moments.includes(name) ? `iso(${name}) as ${name}` : name));
	const drifted = await sql.unsafe(`
		select id from projects p where body <> (select row_to_json(r)::text from (
			select ${columns.join(", ")} from projects o where o.id = p.id) r)`);
	expect([...drifted]).toEqual([]);
	const apart = await sql`
		select p.id from projects p left join developers d using (developer_id)
		where p.needs_capital is distinct from d.needs_capital`;
	expect([...apart]).toEqual([]);
}
