/** One developer: its portfolio, its record, and its companies. */
import "../../style/base.css";
import "../../style/facts.css";
import { render } from "preact";
import { read } from "../../lib/api.ts";
import { type Fact, FactList } from "../../lib/fact-list.tsx";
import { Failed } from "../../lib/failed.tsx";
import { count, filed, percent, power, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";
import { Companies } from "./companies.tsx";
import { Portfolio } from "./portfolio.tsx";

/** As it stands in the address, still encoded. */
const id = /^\/developers\/([^/]+)/.exec(location.pathname)?.[1] ?? "";

function Developer() {
	const state = useRead("developer", (signal) => read("getDeveloper", `/developers/${id}`, {}, signal), 60_000);
	const developer = state.data?.data;
	if (developer === undefined) return <Failed state={state} />;
	const name = filed(developer.canonical_name);
	document.title = name;
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
		["Tier", words(developer.tier)],
		["Technologies", developer.primary_technologies.join(", ") || null],
		["States", developer.states_active.join(", ") || null],
		["Headquarters", developer.headquarters_state],
		["Parent", relationships.parent === null ? null : filed(relationships.parent.name)],
	];
	return (
		<>
			<Failed state={state} />
			<h2 class="name">{name}</h2>
			<FactList facts={facts} />
			<Portfolio id={id} />
			<Companies subsidiaries={relationships.subsidiaries} shells={relationships.shells} />
		</>
	);
}

const root = document.getElementById("page");
if (root) render(<Developer />, root);
