/** Reads the score of a request, current or as published on a past day, and explains it from the inputs stored with it. */
import { readFileSync } from "node:fs";
import { notFound } from "#libs/contract/errors.ts";
import type { Handlers, Reply, Versioned } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import { type ChanceName, chanceNames, listDaysOf } from "#libs/contract/vocabulary.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { assess } from "../domain/assess.ts";
import type { Chances } from "../domain/score/chance.ts";
import { ageInDays, confidenceOf } from "../domain/score/score.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import type { ScoreInputs, ScoreTables } from "../domain/score/tables.ts";
import { scoreTables, tablesOf } from "../domain/score/version.ts";
import { isInSample } from "../domain/score-history.ts";
import { loadReferences } from "../references/current.ts";
import type { Resources } from "../resources.ts";
import { readRequests } from "../tables/requests.ts";
import { readInterconnectionCost, readOwnCost } from "./interconnection-cost.ts";
import { createNotPublished, readScoresOfDay, type ScoreOfDay } from "./published-scores.ts";

/** `npm run backtest -- --write` writes this file. */
const backtest = readFileSync(new URL("../domain/score/backtest.json", import.meta.url), "utf8");
const backtestJson = JSON.stringify(JSON.parse(backtest) as Reply<"getScoreBacktest">);

export const scoreOperations = (resources: Resources) =>
	({
		readScore: ({ project_id, as_of }) =>
			as_of === undefined ? readPresent(resources, project_id) : readPast(resources, project_id, as_of),

		getScoreBacktest: async () => ({ json: backtestJson, dataVersion: 0 }),
	}) satisfies Partial<Handlers<"scoring">>;

type Score = Reply<"readScore">;
type ScoreReply = Versioned<Score>;

interface Stored {
	data_version: number;
	/** Null if the request is not scored or unknown. */
	inputs: ScoreInputs | null;
	inputs_hash: string;
	scored_at: string;
	facts_as_of: string | null;
	p_credit: number | null;
	expected_credit_value: number | null;
}

async function readPresent(resources: Resources, project_id: string): Promise<ScoreReply> {
	const { sql } = resources;
	const at = resources.now().toISOString();
	const [stored] = await sql<Stored[]>`
		select v.version as data_version, s.inputs, s.inputs_hash, iso(s.scored_at) as scored_at,
			left(iso(f.as_of), 10) as facts_as_of, c.p_credit, c.expected_value as expected_credit_value
		from settings t cross join data_version v
		left join scores s on s.project_id = ${project_id} and s.score_version = t.active_version
		left join projects p on p.project_id = ${project_id} left join feeds f on f.feed = p.feed
		left join credits c on c.project_id = ${project_id}`;
	if (stored === undefined) throw new Error("settings has no row: run the migrations of scoring");
	const { inputs, inputs_hash, scored_at } =
		stored.inputs === null ? await assessUnscored(resources, project_id, at) : { ...stored, inputs: stored.inputs };
	const about = {
		...{ project_id, score_version: scoreTables.version, inputs_hash, scored_at },
		...{ facts_as_of: stored.facts_as_of, facts_age_days: ageInDays(stored.facts_as_of, at) },
		...{ p_credit: stored.p_credit, expected_credit_value: stored.expected_credit_value },
		interconnection_cost: await readInterconnectionCost(sql, project_id),
	};
	const reply = createReply(about, inputs, scoreTables);
	return { json: JSON.stringify(reply), dataVersion: stored.data_version };
}

/** Computes the inputs of a request without a score (built or withdrawn), whose reply only explains why it has none. */
async function assessUnscored({ sql, notice_2025_42 }: Resources, id: string, at: string) {
	const [request] = await readRequests(sql, [id]);
	if (request === undefined) throw notFound(`no score of ${id}`);
	const references = await loadReferences(sql);
	const { inputs, hash } = assess(request, { today: at.slice(0, 10), references, notice_2025_42 });
	return { inputs, inputs_hash: hash, scored_at: at };
}

async function readPast(resources: Resources, project_id: string, as_of: string): Promise<ScoreReply> {
	const { sql } = resources;
	checkDay(resources, { as_of });
	const dataVersion = await readDataVersion(sql);
	const [published] = await readScoresOfDay(sql, as_of, sql`s.project_id = ${project_id}`);
	if (published === undefined) throw await createNotPublished(sql, project_id, as_of);
	const { score_version, inputs, inputs_hash, published_at, request, credit } = published;
	const tables = tablesOf(score_version);
	const facts_as_of = request?.facts_as_of ?? null;
	const about = {
		...{ project_id, score_version, inputs_hash, scored_at: published_at },
		...{ facts_as_of, facts_age_days: ageInDays(facts_as_of, as_of) },
		...{ p_credit: credit.p_credit ?? null, expected_credit_value: credit.expected_value ?? null },
		interconnection_cost: await readOwnCost(sql, project_id, as_of),
	};
	const ofDay = { as_of, basis: "published" as const, in_sample: isInSample(score_version, as_of) };
	const reply = tables === undefined ? createStoredReply(about, published) : createReply(about, inputs, tables);
	return { json: JSON.stringify({ ...reply, ...ofDay }), dataVersion };
}

/** The reply for a score version that is no longer computed: only stored values. */
const createStoredReply = (about: About, { score, grade, investable, inputs, score_version }: ScoreOfDay): Score => ({
	...about,
	...{ investability_score: score, grade, investable, scored: true, inputs: { ...inputs } },
	...{ components: null, deductions: [], confidence: null, p_reason: null },
	...toReplyChances(null),
	explanation: `${grade} (${score}). Score version ${score_version}, which is no longer computed: its components are not known. Not investment advice.`,
});

type About = Pick<
	Reply<"readScore">,
	| "project_id"
	| "score_version"
	| "facts_as_of"
	| "facts_age_days"
	| "p_credit"
	| "expected_credit_value"
	| "interconnection_cost"
	| "inputs_hash"
	| "scored_at"
>;

function createReply(about: About, inputs: ScoreInputs, tables: ScoreTables): Score {
	const { score, candidate, chances, ...rest } = scoreProject(inputs, tables);
	return {
		...about,
		inputs: { ...inputs },
		investability_score: score,
		...toReplyChances(chances),
		p_reason: chances?.reason ?? null,
		confidence: confidenceOf(chances?.p_cod_36 ?? null, about.facts_age_days, listDaysOf(inputs.region)),
		...rest,
	};
}

const toReplyChances = (chances: Chances | null): Pick<Score, ChanceName> =>
	Object.fromEntries(
		chanceNames.map((name) => [name, chances?.[name] ? { ...chances[name], n: chances.n } : null]),
	) as Pick<Score, ChanceName>;
