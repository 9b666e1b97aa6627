import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { walk } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, type ReadState, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { median } from "../../lib/requests/sums.ts";
import { count, percent1, points, power, words } from "../../lib/text/format.ts";

type Detail = Reply<"getDeveloper">["data"];
export type Capital = Reply<"getDeveloperCapital">;

/** What it completed, and its distress with its parts, each beside the median of the other developers of its tier. */
export function Record({ developer, capital }: { developer: Detail; capital: ReadState<Capital> }) {
	const { tier, developer_id } = developer;
	const state = useRead(`peers ${tier} ${developer_id}`, (signal) => readPeers(tier, developer_id, signal), 0);
	const peers = state.data;
	return (
		<section aria-labelledby="record">
			<h2 id="record">Record and distress</h2>
			<Failed state={state} />
			<Failed state={capital} />
			{peers && (
				<>
					<p class="soft">
						The peers are {peers.isPart && "the first "}
						{count(peers.portfolios.length)} other developers of the tier “{words(tier)}” that have a listed request.
						Beside its own figure stands the median of those of which it is known, and how many they are.
					</p>
					<div class="columns">
						<Completion developer={developer} capital={capital.data} peers={peers} />
						{capital.data && <Distress capital={capital.data} peers={peers.ratings} />}
					</div>
				</>
			)}
		</section>
	);
}

const behindShare = ({ behind, active }: { behind: number; active: number }) => (active === 0 ? null : behind / active);

function Completion({
	developer,
	capital,
	peers: { portfolios, ratings },
}: {
	developer: Detail;
	capital: Capital | undefined;
	peers: Peers;
}) {
	const schedule = capital?.distress_signal.components?.behind_schedule;
	return (
		<Against
			caption="Record"
			measures={[
				{
					name: "Completed",
					words: `of ${count(developer.operational_projects + developer.withdrawn_projects)} that ended`,
					own: developer.completion_rate,
					peers: portfolios.map(({ completion_rate }) => completion_rate),
					most: 1,
					text: percent1,
				},
				{
					name: "Withdrawn",
					words: "of all its requests",
					own: capital?.distress_signal.components?.high_withdrawal_rate ?? null,
					peers: ratings.map(({ withdrawal_rate }) => withdrawal_rate),
					most: 1,
					text: percent1,
				},
				{
					name: "Behind schedule",
					words: "of those still in a queue",
					own: schedule?.share ?? null,
					peers: ratings.map(({ behind_schedule, active_projects }) =>
						behindShare({ behind: behind_schedule, active: active_projects }),
					),
					most: 1,
					text: percent1,
				},
				{
					name: "Requests",
					own: developer.total_projects,
					peers: portfolios.map(({ total_projects }) => total_projects),
					text: count,
				},
				{
					name: "Still in a queue",
					own: developer.active_capacity_mw,
					peers: portfolios.map(({ active_capacity_mw }) => active_capacity_mw),
					text: power,
				},
			]}
		/>
	);
}

function Distress({ capital: { distress_signal, coverage }, peers }: { capital: Capital; peers: Peer[] }) {
	const { level, score, components, judged } = distress_signal;
	const judgedPeers = peers.filter((peer) => peer.distress_signal.components !== null);
	const parts = Object.entries(components?.points ?? {}).toSorted(([, a], [, b]) => b - a);
	return (
		<div>
			<p>
				Distress: <b data-figure="distress-level">{words(level)}</b>
				{components !== null && (
					<>
						, <b data-figure="distress-score">{score}</b> of 100
					</>
				)}
				{!judged && "; no request and no event of it is known"}
				{components?.bankruptcy && "; a bankruptcy within 24 months is confirmed"}.
			</p>
			{components !== null && (
				<Against
					caption="Points of distress by part"
					measures={[
						{
							name: "All parts",
							own: score,
							peers: judgedPeers.map((peer) => peer.distress_signal.score),
							most: 100,
							text: points,
						},
						...parts
							.filter(([name]) => wasLookedAt(name, coverage))
							.map(([name, own]) => ({
								name: words(name),
								own,
								peers: judgedPeers
									.filter((peer) => wasLookedAt(name, peer.coverage))
									.map((peer) => peer.distress_signal.components?.points[name] ?? null),
								text: points,
							})),
					]}
				/>
			)}
			{coverage.missing.length > 0 && (
				<p class="soft">
					Not looked at, as nothing of it is loaded:{" "}
					{coverage.missing.map((fact) => words(fact).toLowerCase()).join(", ")}.
				</p>
			)}
		</div>
	);
}

const facts: Record<string, (coverage: Capital["coverage"]) => boolean> = {
	capital_raised_low_deployment: ({ form_d }) => form_d.looked_at,
	interconnection_cost_burden: ({ costs }) => costs.looked_at,
	behind_schedule: ({ schedule }) => schedule.looked_at,
	high_withdrawal_rate: ({ withdrawals }) => withdrawals.looked_at,
	litigation: ({ news, filings }) => news.looked_at || filings.looked_at,
	distress_events: ({ news, filings }) => news.looked_at || filings.looked_at,
};

/** Points of what was not looked at are no zero. */
const wasLookedAt = (part: string, coverage: Capital["coverage"]): boolean => facts[part]?.(coverage) ?? true;

export type Peer = Reply<"getCapitalLeaderboard">["data"][number];
type Developer = Reply<"listDevelopers">["data"][number];

export interface Peers {
	ratings: Peer[];
	portfolios: Developer[];
	/** Some were not read: the tier has more than the bound. */
	isPart: boolean;
}

export async function readPeers(tier: string, own: number, signal: AbortSignal): Promise<Peers> {
	const ratings = await walk<Peer>(async (page) => {
		const query = { tier, sort: "distress", page, per_page: pageRows };
		const { data, meta } = await read("getCapitalLeaderboard", "/capital/leaderboard", query, signal);
		return { rows: data, total: meta.total };
	});
	const portfolios = await walk<Developer>(async (page) => {
		const { data, meta } = await read(
			"listDevelopers",
			"/developers",
			{ tier, min_projects: 1, page, per_page: pageRows },
			signal,
		);
		return { rows: data, total: meta.total };
	});
	const others = portfolios.rows.filter(({ developer_id }) => developer_id !== own);
	const ids = new Set(others.map(({ developer_id }) => developer_id));
	return {
		ratings: ratings.rows.filter(({ developer_id }) => ids.has(developer_id)),
		portfolios: others,
		isPart: ratings.rows.length < ratings.total || portfolios.rows.length < portfolios.total,
	};
}

export interface Measure {
	name: string;
	/** What it is of, or how it comes about. */
	words?: string;
	/** Null where nothing states it: then it is left out. */
	own: number | null;
	peers: (number | null)[];
	/** The whole width; the largest value of all when absent. */
	most?: number;
	text(value: number): string;
}

/** Measures of one beside the median of its peers, a row each. */
export function Against({ caption, measures }: { caption: string; measures: Measure[] }) {
	const known = measures.filter(({ own }) => own !== null);
	if (known.length === 0) return null;
	return (
		<table class="own-words">
			<caption>{caption}</caption>
			<Head columns={["Measure", number("Own"), number("Peers")]} />
			<tbody>
				{known.map((measure) => (
					<Row key={measure.name} {...measure} />
				))}
			</tbody>
		</table>
	);
}

function Row({ name, words, own, peers, most, text }: Measure) {
	const middle = median(peers);
	const stated = peers.filter((value) => value !== null);
	const whole = Math.max(most ?? 0, own ?? 0, middle ?? 0) || 1;
	return (
		<tr data-measure={name}>
			<th scope="row">
				{name}
				{words !== undefined && <span class="soft"> {words}</span>}
				<svg class="against" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
					<rect class="own" width={(100 * Math.max(0, own ?? 0)) / whole} />
					{middle !== null && <rect class="median" x={Math.min(99.4, (100 * middle) / whole)} width="0.6" />}
				</svg>
			</th>
			<td class="number">{own === null ? "–" : text(own)}</td>
			<td class="number">
				{middle === null ? "–" : text(middle)}
				<div class="soft">of {count(stated.length)}</div>
			</td>
		</tr>
	);
}
