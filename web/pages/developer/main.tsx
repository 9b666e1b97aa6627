/** The page of a developer: portfolio, record and distress compared with those of its peers, events, and companies. */
import "../../style/base.css";
import "./developer.css";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, type ReadState, useOperation } from "../../lib/api/use-read.tsx";
import { type Fact, FactList, mount, Section, setHeading } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { dayOfAddress, PastDayNotice } from "../../lib/requests/project-link.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { count, dollars, labelOf, percent, power, safeText } from "../../lib/text/format.ts";
import { Companies } from "./companies.tsx";
import { Breakdown, Portfolio, Size } from "./portfolio.tsx";
import { type Capital, Record } from "./record.tsx";

/** The developer's ID, as encoded in the URL. */
const id = /^\/developers\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
const as_of = dayOfAddress();

function Developer() {
	const state = useOperation("getDeveloper", `/developers/${id}`, { as_of }, 60_000);
	const capital = useOperation("getDeveloperCapital", `/developers/${id}/capital`);
	const developer = state.data?.data;
	if (developer === undefined) return <Failed state={state} />;
	const name = safeText(developer.canonical_name);
	setHeading(name);
	const { relationships, completion_rate, operational_projects, withdrawn_projects } = developer;
	const facts: Fact[] = [
		["Requests", count(developer.total_projects)],
		["Capacity", power(developer.total_capacity_mw)],
		["Still in a queue", power(developer.active_capacity_mw)],
		["Under construction", power(developer.in_construction_mw)],
		["Operating", power(developer.operating_capacity_mw)],
		[
			"Completion rate (upper bound)",
			completion_rate === null
				? null
				: `${percent(completion_rate)} (${count(operational_projects)} operational, ${count(withdrawn_projects)} withdrawn)`,
		],
		["Tier", labelOf(developer.tier)],
		["Technologies", developer.primary_technologies.join(", ") || null],
		["States", developer.states_active.join(", ") || null],
		[
			"Raised (Form D)",
			as_of !== undefined || capital.data === undefined || capital.data.capital_raised === null
				? null
				: dollars(capital.data.capital_raised),
		],
		["Headquarters", developer.headquarters_state],
		["Parent", relationships.parent === null ? null : safeText(relationships.parent.name)],
	];
	return (
		<>
			<Failed state={state} />
			{as_of !== undefined && <PastDayNotice day={as_of} />}
			<FactList facts={facts} />
			{as_of === undefined && (
				<>
					<Reasons capital={capital} />
					<Breakdown id={developer.developer_id} />
				</>
			)}
			<Size id={developer.developer_id} />
			{as_of === undefined && (
				<>
					<Record developer={developer} capital={capital} />
					<Events id={developer.developer_id} name={developer.canonical_name} capital={capital} />
					<Companies developer={developer} />
					<Numbers developer={developer} />
					<Portfolio id={id} />
					<p>
						Is something wrong?{" "}
						<a href={`/dispute?about=identifier&developer_id=${developer.developer_id}`}>Dispute it</a>.
					</p>
				</>
			)}
		</>
	);
}

const registers = { cik: "SEC CIK", lei: "LEI", eia_utility: "EIA utility", eia_entity: "EIA entity" } as const;

const Numbers = ({ developer: { identifiers } }: { developer: Reply<"getDeveloper">["data"] }) =>
	identifiers.length > 0 && (
		<Section id="numbers" title="Registry numbers">
			<ul class="numbers">
				{identifiers.map(({ scheme, value, evidence }) => (
					<li key={`${scheme}:${value}`}>
						{registers[scheme]} {safeText(value)} <span class="soft">({safeText(evidence, 300)})</span>
					</li>
				))}
			</ul>
		</Section>
	);

const Reasons = ({ capital: { data } }: { capital: ReadState<Capital | undefined> }) =>
	data?.needs_capital && (
		<p>Needs capital: {data.needs_capital_reasons.map((reason) => safeText(reason, 500)).join(" ")}</p>
	);

const longestDays = 365;
const per_page = 20;

/** News about the developer, its filings and offerings, and assets that it bought or sold. */
function Events({ id, name, capital }: { id: number; name: string; capital: ReadState<Capital | undefined> }) {
	const news = useOperation("listDeveloperEvents", `/developers/${id}/events`, { days: longestDays, per_page });
	const filings = useOperation("listMaterialEvents", "/material-events", { developer: name, per_page });
	const deals = useOperation("listMaEvents", "/ma-events", { developer: name, per_page });
	const headlines = news.data?.data ?? [];
	const reports = filings.data?.data.filter((one) => one.developer_canonical === name) ?? [];
	const raises = capital.data?.raises ?? [];
	const own = deals.data?.data.filter((one) => one.buyer_canonical === name || one.seller_canonical === name) ?? [];
	const isRead = news.data !== undefined && filings.data !== undefined && deals.data !== undefined;
	return (
		<Section id="events" title="Events" reads={[news, filings, deals]}>
			<NewsList
				title={`News of the last ${longestDays} days (${count(news.data?.meta.total ?? 0)})`}
				rows={headlines}
			/>
			<FilingList title="Current reports" rows={reports} />
			<RaiseList title="Raises" rows={raises} />
			{own.length > 0 && (
				<>
					<h3>Changes of ownership</h3>
					<Table
						scrolls="Changes of ownership"
						rows={own}
						attributes={({ asset_name }) => ({ "data-deal": asset_name ?? "" })}
						columns={[
							["Day", ({ effective_date }) => effective_date, "day"],
							[
								"What",
								({ asset_name, queue_id, asset_class, capacity_mw }) => (
									<Noted
										text={safeText(asset_name ?? queue_id ?? labelOf(asset_class), 80)}
										note={capacity_mw !== null && power(capacity_mw)}
									/>
								),
							],
							["From", ({ seller_canonical, seller }) => safeText(seller_canonical ?? seller ?? "–", 60)],
							["To", ({ buyer_canonical, buyer }) => safeText(buyer_canonical ?? buyer ?? "–", 60)],
							["Confidence", ({ confidence, reason }) => <span title={reason}>{labelOf(confidence)}</span>],
						]}
					/>
				</>
			)}
			{isRead && headlines.length + reports.length + raises.length + own.length === 0 && (
				<p>No news in the last {longestDays} days, and no filing or deal on record, names it.</p>
			)}
		</Section>
	);
}

mount(<Developer />);
