import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { type Fact, FactList } from "../../lib/elements/page.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { dollars, filed, percent1, power, words } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Detail = Reply<"getProject">;
type Calculated = NonNullable<Reply<"getProjectTaxCredit">["data"]>;

/** The request's credit, and the lines of the law that it comes about by. */
export function Credit({ project, as_of }: { project: Detail; as_of: string | undefined }) {
	const path = `/projects/${encodeURIComponent(project.id)}/tax-credit`;
	// As of a past day there is what was published, and no lines.
	const hasLines = project.tax_credit_status !== null && as_of === undefined;
	const state = useRead(`${path} ${hasLines}`, async (signal) =>
		hasLines ? read("getProjectTaxCredit", path, {}, signal) : undefined,
	);
	if (project.tax_credit_status === null) return null;
	const facts: Fact[] = [
		["Credit", project.tax_credit_type],
		["Status", words(project.tax_credit_status)],
		["Rate, adders included", project.tax_credit_pct === null ? null : percent1(project.tax_credit_pct)],
		[
			"Estimated value",
			project.estimated_credit_value === null ? null : (
				<span data-figure="estimated_credit_value">{dollars(project.estimated_credit_value)}</span>
			),
		],
	];
	return (
		<section aria-labelledby="credit">
			<h2 id="credit">Tax credit</h2>
			<FactList facts={facts} />
			<Failed state={state} />
			{state.data?.data && <Lines id={project.id} credit={state.data.data} />}
		</section>
	);
}

/** Of each line the field of the request whose origin says where it comes from. */
const fieldOfBonus: Record<keyof Calculated["bonuses"], string> = {
	energy_community: "energy_community_eligible",
	domestic_content: "domestic_content_eligible",
	low_income: "low_income_eligible",
};

function Lines({ id, credit }: { id: string; credit: Calculated }) {
	const { source, shown } = useSources(id, undefined);
	const { bonuses } = credit;
	const place = [credit.counties.map((county) => filed(county, 40)).join(" and "), credit.state ?? ""].filter(Boolean);
	return (
		<>
			<h3>By the law of {credit.as_of}</h3>
			<p>
				{words(credit.technology)}
				{credit.capacity_mw !== null && ` of ${power(credit.capacity_mw)}`}
				{place.length > 0 && ` in ${place.join(", ")}`}, placed in service in {credit.cod}.
			</p>
			<table class="own-words">
				<Head columns={["Line", "Why", number("Rate")]} />
				<tbody>
					<tr data-credit="base">
						<th scope="row">Base {source("tax_credit_type", "Base")}</th>
						<td>{credit.credit_type ?? "No credit"}</td>
						<td class="number">{percent1(credit.base_credit_pct)}</td>
					</tr>
					{Object.entries(bonuses).map(([name, bonus]) => (
						<tr key={name} data-credit={name}>
							<th scope="row">
								{words(name)} {source(fieldOfBonus[name as keyof typeof fieldOfBonus], words(name))}
							</th>
							<td>
								{words(bonus.status)}. <span class="soft">{filed(bonus.reason, 400)}</span>
							</td>
							<td class="number">
								{bonus.eligible
									? `+${percent1(bonus.bonus_pct)}`
									: bonus.bonus_pct > 0
										? `(${percent1(bonus.bonus_pct)})`
										: "–"}
							</td>
						</tr>
					))}
					{credit.phase_factor !== 1 && (
						<tr data-credit="phase">
							<th scope="row">Share that is left at its end date</th>
							<td />
							<td class="number">× {percent1(credit.phase_factor)}</td>
						</tr>
					)}
					<tr data-credit="effective">
						<th scope="row">
							<b>Rate</b> {source("tax_credit_pct", "Rate")}
						</th>
						<td>
							{words(credit.status)}
							{credit.at_risk_rate !== null && `; ${percent1(credit.at_risk_rate)} if its condition fails`}
							{credit.ptc_cents_per_kwh !== null &&
								`; ${credit.ptc_cents_per_kwh} cents a kWh (rate of ${credit.ptc_rate_year})`}
						</td>
						<td class="number">
							<b>{percent1(credit.effective_rate)}</b>
						</td>
					</tr>
				</tbody>
			</table>
			{shown}
			{credit.warnings.length > 0 && (
				<ul>
					{credit.warnings.map(({ code, message }) => (
						<li key={code}>{message}</li>
					))}
				</ul>
			)}
			<details>
				<summary>{credit.assumptions.length} assumptions</summary>
				<ul>
					{credit.assumptions.map((assumption) => (
						<li key={assumption}>{assumption}</li>
					))}
				</ul>
			</details>
			<h3>The law behind it</h3>
			<table class="own-words">
				<Head columns={["Rule", "Citation", "Holds"]} />
				<tbody>
					{credit.citations.map(({ rule, citation, valid_from, valid_to }) => (
						<tr key={`${rule} ${citation}`} data-citation={citation}>
							<th scope="row">{rule}</th>
							<td>{citation}</td>
							<td>{spanOf(valid_from, valid_to)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}

function spanOf(from: string | null, to: string | null): string {
	if (from === null && to === null) return "–";
	if (to === null) return `from ${from}`;
	return from === null ? `until ${to}` : `${from} to ${to}`;
}
