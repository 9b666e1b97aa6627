import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { type Fact, FactList, Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { dollars, labelOf, power, safeText, tenthsOfPercent } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Calculated = NonNullable<Reply<"getProjectTaxCredit">["data"]>;

/** Shows the request's tax credit line by line, with the legal rules behind it. */
export function TaxCredit({ project, as_of }: { project: Reply<"getProject">; as_of: string | undefined }) {
	const path = `/projects/${encodeURIComponent(project.id)}/tax-credit`;
	// For a past day, only the published result is known, not its lines.
	const hasLines = project.tax_credit_status !== null && as_of === undefined;
	const state = useOperation("getProjectTaxCredit", hasLines ? path : undefined);
	if (project.tax_credit_status === null) return null;
	const facts: Fact[] = [
		["Credit", project.tax_credit_type],
		["Status", labelOf(project.tax_credit_status)],
		["Rate, adders included", project.tax_credit_pct === null ? null : tenthsOfPercent(project.tax_credit_pct)],
		[
			"Estimated value",
			project.estimated_credit_value === null ? null : (
				<span data-figure="estimated_credit_value">{dollars(project.estimated_credit_value)}</span>
			),
		],
		...expectedFacts(state.data?.data),
	];
	return (
		<Section id="credit" title="Tax credit" reads={[state]}>
			<FactList facts={facts} />
			{state.data?.data && <Lines id={project.id} credit={state.data.data} />}
		</Section>
	);
}

/** The chance of the credit and its expected value; empty for a past day. */
function expectedFacts(credit: Calculated | null | undefined): Fact[] {
	if (credit?.p_credit == null) return [];
	const value = credit.expected_credit_value;
	return [
		["Chance of obtaining it", tenthsOfPercent(credit.p_credit)],
		["Expected value", value === null ? null : <span data-figure="expected_credit_value">{dollars(value)}</span>],
	];
}

/** The field of the request for each bonus. */
const fieldOfBonus: Record<keyof Calculated["bonuses"], string> = {
	energy_community: "energy_community_eligible",
	domestic_content: "domestic_content_eligible",
	low_income: "low_income_eligible",
};

function Lines({ id, credit }: { id: string; credit: Calculated }) {
	const { source, shown } = useSources(id, undefined);
	const place = [credit.counties.map((county) => safeText(county, 40)).join(" and "), credit.state ?? ""].filter(
		Boolean,
	);
	return (
		<>
			<h3>By the law of {credit.as_of}</h3>
			<p>
				{labelOf(credit.technology)}
				{credit.capacity_mw !== null && ` of ${power(credit.capacity_mw)}`}
				{place.length > 0 && ` in ${place.join(", ")}`}, placed in service in {credit.cod}.
			</p>
			<Table
				class="own-words"
				rows={linesOf(credit, source)}
				attributes={({ name }) => ({ "data-credit": name })}
				columns={[
					["Line", ({ label }) => label],
					["Why", ({ reason }) => reason],
					["Rate", ({ rate }) => rate, "number"],
				]}
			/>
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
			<Table
				class="own-words"
				rows={credit.citations}
				attributes={({ citation }) => ({ "data-citation": citation })}
				columns={[
					["Rule", ({ rule }) => rule],
					["Citation", ({ citation }) => citation],
					["Holds", ({ valid_from, valid_to }) => spanOf(valid_from, valid_to)],
				]}
			/>
		</>
	);
}

interface CreditLine {
	name: string;
	label: ComponentChildren;
	reason?: ComponentChildren;
	rate: ComponentChildren;
}

function linesOf(credit: Calculated, source: (field: string, name: string) => ComponentChildren): CreditLine[] {
	const bonusRate = ({ eligible, bonus_pct }: Calculated["bonuses"][keyof Calculated["bonuses"]]): string => {
		if (eligible) return `+${tenthsOfPercent(bonus_pct)}`;
		return bonus_pct > 0 ? `(${tenthsOfPercent(bonus_pct)})` : "–";
	};
	return [
		{
			name: "base",
			label: <>Base {source("tax_credit_type", "Base")}</>,
			reason: credit.credit_type ?? "No credit",
			rate: tenthsOfPercent(credit.base_credit_pct),
		},
		...Object.entries(credit.bonuses).map(([name, bonus]) => ({
			name,
			label: (
				<>
					{labelOf(name)} {source(fieldOfBonus[name as keyof typeof fieldOfBonus], labelOf(name))}
				</>
			),
			reason: <Noted text={`${labelOf(bonus.status)}.`} note={safeText(bonus.reason, 400)} />,
			rate: bonusRate(bonus),
		})),
		...(credit.phase_factor === 1
			? []
			: [
					{
						name: "phase",
						label: "Share that remains at its end date",
						rate: `× ${tenthsOfPercent(credit.phase_factor)}`,
					},
				]),
		{
			name: "effective",
			label: (
				<>
					<b>Rate</b> {source("tax_credit_pct", "Rate")}
				</>
			),
			reason: [
				labelOf(credit.status),
				credit.at_risk_rate !== null && `${tenthsOfPercent(credit.at_risk_rate)} if its condition fails`,
				credit.ptc_cents_per_kwh !== null &&
					`${credit.ptc_cents_per_kwh} cents a kWh (rate of ${credit.ptc_rate_year})`,
			]
				.filter(Boolean)
				.join("; "),
			rate: <b>{tenthsOfPercent(credit.effective_rate)}</b>,
		},
	];
}

function spanOf(from: string | null, to: string | null): string {
	if (from === null && to === null) return "–";
	if (to === null) return `from ${from}`;
	return from === null ? `until ${to}` : `${from} to ${to}`;
}
