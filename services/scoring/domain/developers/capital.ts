/** Decides whether a developer probably needs capital, and rates the tax credits of its requests. Pure. */
import type { DeveloperTier, DistressLevel, TaxCreditActivity } from "#libs/contract/vocabulary.ts";
import { checkAmount, checkCounts, type DeveloperCounts, describeCoverage } from "./counts.ts";
import { type NeedsCapitalTables, needsCapitalTables } from "./tables.ts";

/**
 * A developer needs capital for any of these reasons:
 * - Its tier has no capital of its own, Form D is loaded, and the equity for its requests in the late stage or under construction exceeds
 *   three times the capital that Form D shows for 36 months. The reason mentions that Form D does not show all capital.
 * - Its distress is Elevated or High.
 * - Headlines report that it seeks money or a buyer.
 *
 * `needed` is null if there is no reason, but the equity or the distress could not be rated.
 * @throws RangeError if the counts are impossible
 */
export function rateCapitalNeed(
	tier: DeveloperTier,
	counts: DeveloperCounts,
	level: DistressLevel,
	tables: NeedsCapitalTables = needsCapitalTables,
) {
	checkCounts(counts);
	const hasOwnCapital = tables.ownCapital.includes(tier);
	// Without Form D the capital raised is unknown, so a need for equity cannot be inferred.
	const isRaisedKnown = describeCoverage(counts).form_d.looked_at;
	const reasons = [
		isRaisedKnown && !hasOwnCapital ? equityReason(counts, tables) : null,
		tables.levels.includes(level) ? distressReason(counts, level) : null,
		headlineReason(counts.seeking),
	].filter((reason) => reason !== null);
	const isJudged = level !== "unknown" && (isRaisedKnown || hasOwnCapital);
	return { needed: reasons.length > 0 || (isJudged ? false : null), reasons };
}

/** Returns USD per kW. A hybrid costs the mean of its parts, because queues list its total capacity, but not that of each part. */
export function computeCapexPerKw(technology: string, tables: NeedsCapitalTables = needsCapitalTables): number {
	const parts = technology.split("+").map((part) => part.trim());
	const costs = parts.map((part) => (Object.hasOwn(tables.capex, part) ? tables.capex[part] : undefined));
	return costs.reduce<number>((sum, cost) => sum + (cost ?? tables.capexDefault), 0) / costs.length;
}

function equityReason(counts: DeveloperCounts, tables: NeedsCapitalTables): string | null {
	const plants = sumByTechnology(counts.lateAndConstruction);
	const cost = plants.reduce((sum, { technology, mw }) => sum + mw * 1000 * computeCapexPerKw(technology, tables), 0);
	const need = cost * tables.equityShare;
	const raised = counts.capitalRaised36Months;
	if (!(need > tables.timesRaised * raised)) return null;
	const plantTexts = plants.map(
		({ technology, mw }) =>
			`${technology} ${formatNumber(mw, 1)} MW at ${formatUsd(computeCapexPerKw(technology, tables))} a kW`,
	);
	return (
		`Requests in the late stage or under construction need about ${formatUsd(need)} of equity, ${tables.equityShare * 100} % of their ` +
		`cost (${plantTexts.join(", ")}); Form D shows ${formatUsd(raised)} raised in 36 months and does not show all capital.`
	);
}

/** Sums the MW of each technology, in order of name. The order of rows does not affect the sums. */
function sumByTechnology(rows: DeveloperCounts["lateAndConstruction"]): { technology: string; mw: number }[] {
	const groups = Map.groupBy(rows, ({ technology }) => technology);
	return [...groups]
		.map(([technology, members]) => ({
			technology,
			mw: members
				.map(({ mw }) => mw)
				.sort((a, b) => a - b)
				.reduce((sum, mw) => sum + mw, 0),
		}))
		.filter(({ mw }) => mw > 0)
		.sort((a, b) => (a.technology < b.technology ? -1 : 1));
}

function distressReason(counts: DeveloperCounts, level: DistressLevel): string {
	const { active, behind, withdrawn, operational, events, distress, litigation } = counts;
	const bankruptcy = counts.bankruptcy ? "a confirmed bankruptcy, " : "";
	return (
		`Distress is ${level}: ${bankruptcy}${behind} of ${active} active requests behind schedule, ` +
		`${withdrawn} of ${active + operational + withdrawn} withdrawn, ` +
		`${distress} distress and ${litigation} litigation headlines of ${events} in 24 months.`
	);
}

const maxQuoted = 3;

function headlineReason(seeking: readonly string[]): string | null {
	const titles = [...new Set(seeking)].sort();
	if (titles.length === 0) return null;
	const quotedTitles = titles.slice(0, maxQuoted).map((title) => `"${title}"`);
	const othersText = titles.length > maxQuoted ? ` and ${titles.length - maxQuoted} more` : "";
	const count = titles.length === 1 ? "1 headline says" : `${titles.length} headlines say`;
	return `${count} within 180 days that it looks for money or a buyer: ${quotedTitles.join(", ")}${othersText}.`;
}

function formatUsd(amount: number): string {
	if (amount >= 1e9) return `$${formatNumber(amount / 1e9, 2)} billion`;
	if (amount >= 1e6) return `$${formatNumber(amount / 1e6, 1)} million`;
	return `$${formatNumber(amount, 0)}`;
}

function formatNumber(value: number, maximumFractionDigits: number): string {
	return value.toLocaleString("en-US", { maximumFractionDigits });
}

/**
 * Minimum estimated credits (USD) of each level, highest first. No publication defines such levels. The yardstick is a solar plant of 100 MW
 * at $1,588 per kW and the full base rate of 30 %, whose credit is $47.6 million: about one such plant is medium, about ten are high.
 */
const taxCreditActivityTable: readonly { activity: TaxCreditActivity; from: number }[] = [
	{ activity: "high", from: 500_000_000 },
	{ activity: "medium", from: 50_000_000 },
	{ activity: "low", from: 0 },
];

/**
 * `creditValue`: estimated credits (USD) of open requests in the mid stage or later; `creditProjects`: how many of these requests can claim
 * one. Credits of unknown value are `low`. @throws RangeError
 */
export function rateTaxCreditActivity(creditValue: number, creditProjects: number): TaxCreditActivity {
	checkAmount("creditValue", creditValue);
	checkAmount("creditProjects", creditProjects);
	if (creditProjects === 0) {
		if (creditValue > 0) throw new RangeError(`creditValue must be 0 if creditProjects is 0, not ${creditValue}`);
		return "none";
	}
	return taxCreditActivityTable.find(({ from }) => creditValue >= from)?.activity ?? "low";
}
