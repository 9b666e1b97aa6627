/** One developer: its portfolio, its record and distress beside its peers, events, and its companies. */
import "../../style/base.css";
import "./developer.css";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, type ReadState, useOperation } from "../../lib/api/use-read.tsx";
import { type Fact, FactList } from "../../lib/elements/lists.tsx";
import { mount, Section, setHeading } from "../../lib/elements/page.tsx";
import { dayOfAddress, PastDayNotice } from "../../lib/requests/project-link.tsx";
import { count, labelOf, power, safeText } from "../../lib/text/format.ts";
import { dollars, percent } from "../../lib/text/quantity.ts";
import { Companies } from "./companies.tsx";
import { Events } from "./events.tsx";
import { Breakdown, Portfolio } from "./portfolio.tsx";
import { type Capital, Record } from "./record.tsx";
import { Size } from "./size.tsx";

/** As encoded in the address. */
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
			"Completed of those that ended",
			completion_rate === null
				? null
				: `${percent(completion_rate)} (${count(operational_projects)} operational, ${count(withdrawn_projects)} withdrawn)`,
		],
		["Tier", labelOf(developer.tier)],
		["Technologies", developer.primary_technologies.join(", ") || null],
		["States", developer.states_active.join(", ") || null],
		[
			"Raised, by Form D",
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
		<Section id="numbers" title="Numbers in registers">
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

mount(<Developer />);
