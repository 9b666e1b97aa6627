import type { Reply } from "#libs/contract/index.ts";
import type { ReadState } from "../../lib/api/use-read.tsx";
import { useAllRows } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { median } from "../../lib/requests/sums.ts";
import { count, counted, labelOf, points, power, tenthsOfPercent } from "../../lib/text/format.ts";

type Detail = Reply<"getDeveloper">["data"];
type Peer = Reply<"getCapitalLeaderboard">["data"][number];
export type Capital = Reply<"getDeveloperCapital">;

interface Peers {
	ratings: Peer[];
	portfolios: Reply<"listDevelopers">["data"];
}

/**
 * The developer's completed projects and the parts of its distress score, each compared with the median of the other developers of its tier that have
 * listed requests.
 */
export function Record({ developer, capital }: { developer: Detail; capital: ReadState<Capital | undefined> }) {
	const { tier, developer_id } = developer;
	const ratings = useAllRows("getCapitalLeaderboard", "/capital/leaderboard", { tier, sort: "distress" });
	const portfolios = useAllRows("listDevelopers", "/developers", { tier, min_projects: 1 });
	const peers = peersOf(developer_id, ratings.data?.rows, portfolios.data?.rows);
	const isPart = [ratings, portfolios].some(({ data }) => data !== undefined && data.rows.length < data.total);
	return (
		<Section id="record" title="Record and distress" reads={[ratings, portfolios, capital]}>
			{peers && (
				<>
					<p class="soft">
						The peers are {isPart && "the first "}
						{counted(peers.portfolios.length, "other developer")} of the tier “{labelOf(tier)}” with a listed request.
						Each figure is shown next to the median of the peers whose figure is known, and the number of these peers.
					</p>
					<div class="columns">
						<Completion developer={developer} capital={capital.data} peers={peers} />
						{capital.data && <Distress capital={capital.data} peers={peers.ratings} />}
					</div>
				</>
			)}
		</Section>
	);
}

function peersOf(
	own: number,
	ratings: Peer[] | undefined,
	portfolios: Peers["portfolios"] | undefined,
): Peers | undefined {
	if (ratings === undefined || portfolios === undefined) return undefined;
	const others = portfolios.filter(({ developer_id }) => developer_id !== own);
	const ids = new Set(others.map(({ developer_id }) => developer_id));
	return { ratings: ratings.filter(({ developer_id }) => ids.has(developer_id)), portfolios: others };
}

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
		<PeerComparison
			caption="Record"
			measures={[
				{
					name: "Completed",
					reason: `of ${count(developer.operational_projects + developer.withdrawn_projects)} that ended`,
					own: developer.completion_rate,
					peers: portfolios.map(({ completion_rate }) => completion_rate),
					max: 1,
					text: tenthsOfPercent,
				},
				{
					name: "Withdrawn",
					reason: "of all its requests",
					own: capital?.distress_signal.components?.high_withdrawal_rate ?? null,
					peers: ratings.map(({ withdrawal_rate }) => withdrawal_rate),
					max: 1,
					text: tenthsOfPercent,
				},
				{
					name: "Behind schedule",
					reason: "of those still in a queue",
					own: schedule?.share ?? null,
					peers: ratings.map(({ behind_schedule, active_projects }) =>
						active_projects === 0 ? null : behind_schedule / active_projects,
					),
					max: 1,
					text: tenthsOfPercent,
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
				Distress: <b data-figure="distress-level">{labelOf(level)}</b>
				{components !== null && (
					<>
						, <b data-figure="distress-score">{score}</b> of 100
					</>
				)}
				{!judged && "; no request and no event of it is known"}
				{components?.bankruptcy && "; a bankruptcy within 24 months is confirmed"}.
			</p>
			{components !== null && (
				<PeerComparison
					caption="Points of distress by part"
					measures={[
						{
							name: "All parts",
							own: score,
							peers: judgedPeers.map((peer) => peer.distress_signal.score),
							max: 100,
							text: points,
						},
						...parts
							.filter(([name]) => hasFacts(name, coverage))
							.map(([name, own]) => ({
								name: labelOf(name),
								own,
								peers: judgedPeers
									.filter((peer) => hasFacts(name, peer.coverage))
									.map((peer) => peer.distress_signal.components?.points[name] ?? null),
								text: points,
							})),
					]}
				/>
			)}
			{coverage.missing.length > 0 && (
				<p class="soft">
					Not considered, because nothing is loaded:{" "}
					{coverage.missing.map((fact) => labelOf(fact).toLowerCase()).join(", ")}.
				</p>
			)}
		</div>
	);
}

const factChecks: Record<string, (coverage: Capital["coverage"]) => boolean> = {
	capital_raised_low_deployment: ({ form_d }) => form_d.looked_at,
	interconnection_cost_burden: ({ costs }) => costs.looked_at,
	behind_schedule: ({ schedule }) => schedule.looked_at,
	high_withdrawal_rate: ({ withdrawals }) => withdrawals.looked_at,
	litigation: ({ news, filings }) => news.looked_at || filings.looked_at,
	distress_events: ({ news, filings }) => news.looked_at || filings.looked_at,
};

/** Whether the facts of a part are loaded. If they are not, the part has no points, which differs from 0 points. */
const hasFacts = (part: string, coverage: Capital["coverage"]): boolean => factChecks[part]?.(coverage) ?? true;

interface Measure {
	name: string;
	reason?: string;
	/** The developer's value; a measure whose value is unknown is omitted. */
	own: number | null;
	peers: (number | null)[];
	/** The value of the full width; by default the largest value. */
	max?: number;
	text(value: number): string;
}

/** Compares a developer's measures with the medians of its peers. */
function PeerComparison({ caption, measures }: { caption: string; measures: Measure[] }) {
	const known = measures.filter(({ own }) => own !== null);
	if (known.length === 0) return null;
	return (
		<Table
			class="own-words"
			caption={caption}
			rows={known}
			attributes={({ name }) => ({ "data-measure": name })}
			columns={[
				["Measure", (measure) => <Bar {...measure} />],
				["Own", ({ own, text }) => (own === null ? "–" : text(own)), "number"],
				[
					"Peers",
					({ peers, text }) => {
						const middle = median(peers);
						return (
							<>
								{middle === null ? "–" : text(middle)}
								<div class="soft">of {count(peers.filter((value) => value !== null).length)}</div>
							</>
						);
					},
					"number",
				],
			]}
		/>
	);
}

function Bar({ name, reason, own, peers, max }: Measure) {
	const middle = median(peers);
	const whole = Math.max(max ?? 0, own ?? 0, middle ?? 0) || 1;
	return (
		<>
			{name}
			{reason !== undefined && <span class="soft"> {reason}</span>}
			<svg class="against" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
				<rect class="own" width={(100 * Math.max(0, own ?? 0)) / whole} />
				{middle !== null && <rect class="median" x={Math.min(99.4, (100 * middle) / whole)} width="0.6" />}
			</svg>
		</>
	);
}
