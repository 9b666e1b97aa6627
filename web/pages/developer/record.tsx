import type { Reply } from "#libs/contract/index.ts";
import { Against } from "../../lib/charts/against.tsx";
import { Failed } from "../../lib/failed.tsx";
import { count, power, words } from "../../lib/format.ts";
import { percent1, points } from "../../lib/quantity.ts";
import { type ReadState, useRead } from "../../lib/use-read.ts";
import { type Peer, type Peers, readPeers } from "./peers.ts";

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
