/** Ten questions of the field with the calls that answer them: the beginning of /llms.txt. */
import type { OperationName, ParamsInput } from "#libs/contract/index.ts";
import { httpOperations } from "../registry/bindings.ts";
import { type CallParams, callUrl } from "./calls.ts";
import { toolNames } from "./catalog.ts";

export interface Question {
	question: string;
	path: string;
	tool: string | undefined;
}

export function questions(): Question[] {
	const declared = new Map(httpOperations().map((each) => [each.name, each]));
	const tools = toolNames();
	const ask = <N extends OperationName>(question: string, name: N, params: ParamsInput<N>): Question => {
		const http = declared.get(name)?.http;
		if (http === undefined) throw new Error(`${name} has no address`);
		return { question, path: callUrl(http, params as CallParams), tool: tools.get(name) };
	};
	return [
		ask("Which active solar requests in Texas are the largest?", "listProjects", {
			...{ state: "TX", fuel_type: "Solar", active: "true" },
			...{ sort: "capacity_mw", order: "desc", per_page: 20 },
		}),
		ask("How many requests and MW are active in each state?", "groupProjects", { by: "state", active: "true" }),
		ask("What changed in MISO in the last week?", "listChanges", { region: "MISO", since_days: 7 }),
		ask("Which requests can a lender look at, and how likely is each to operate?", "listInvestable", { per_page: 20 }),
		ask("Which developers have the most active capacity?", "listDevelopers", { sort: "active_capacity_mw" }),
		ask("How many requests and MW are at a substation?", "listPois", { q: "windhub" }),
		ask("Which request does a queue number or a name mean?", "resolve", { q: "ERCOT-23INR0907" }),
		ask("Which tax credit can a plant claim, by which law?", "calculateTaxCredits", {
			...{ technology: "Solar", capacity_mw: 100, state: "TX", county: "Reeves", cod_year: 2027 },
		}),
		ask("Which data centers are planned in New York?", "listDatacenterPipeline", { state: "NY" }),
		ask("Any other question: one SELECT, here the withdrawals of each quarter", "getQuery", {
			sql: "select region, date_trunc('quarter', withdrawn_date) as quarter, count(*) as requests, sum(capacity_mw) as mw from projects where withdrawn_date is not null group by all order by quarter desc",
		}),
	];
}
