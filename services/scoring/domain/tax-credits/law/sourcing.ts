/** Rules on the origin of a plant's products: domestic content (signals sheet 6.3) and prohibited foreign entities (6.4). */
import { law, type Row, type Warning } from "../types.ts";

/** Share of the cost of manufactured products that must be made in the United States, by the day construction began. */
export interface ContentShare extends Row {
	readonly share: number;
}

function listContentShares(
	what: string,
	citation: string,
	steps: readonly (readonly [string | null, string | null, number])[],
) {
	return steps.map(([from, to, share]): ContentShare => {
		const rule = `Domestic content of ${what}: ${Math.round(share * 1000) / 10} % of manufactured products`;
		return { law: law(rule, citation, from, to), share };
	});
}

const notices = "Notices 2023-38, 2024-41, 2025-08";

export const productionContent = listContentShares("the production credit", `26 USC 45(b)(9), 45Y(g)(11); ${notices}`, [
	[null, "2024-12-31", 0.4],
	["2025-01-01", "2025-12-31", 0.45],
	["2026-01-01", "2026-12-31", 0.5],
	["2027-01-01", null, 0.55],
]);

/** Until 2025-06-15, 40 % applied to section 48E; Public Law 119-21 aligned it with section 45Y. */
export const investmentContent = listContentShares(
	"the investment credit",
	`26 USC 48(a)(12), 48E(a)(3)(B); Pub. L. 119-21 §70513; ${notices}`,
	[
		[null, "2025-06-15", 0.4],
		["2025-06-16", "2025-12-31", 0.45],
		["2026-01-01", "2026-12-31", 0.5],
		["2027-01-01", null, 0.55],
	],
);

/** The shares for the production credit. For the investment credit of early 2025 they are stricter than the law. */
export const offshoreContent = listContentShares("offshore wind", `26 USC 45(b)(9)(C), 45Y(g)(11)(C); ${notices}`, [
	[null, "2024-12-31", 0.2],
	["2025-01-01", "2025-12-31", 0.275],
	["2026-01-01", "2026-12-31", 0.35],
	["2027-01-01", "2027-12-31", 0.45],
	["2028-01-01", null, 0.55],
]);

/** Owners to whom the credit is paid in cash lose part of it without domestic content. */
export const directPay = {
	law: law(
		"Direct pay needs domestic content for construction begun after 2025",
		"26 USC 45Y(g)(12), 48E(d)(5)",
		"2026-01-01",
		null,
	),
	begunFrom: "2026-01-01",
	fromMw: 1,
} as const;

/** Minimum shares of cost free of prohibited foreign entities (MACR), by the day construction began (signals sheet 6.4). */
interface MaterialAssistance extends Row {
	readonly warnings: { readonly facility: Warning; readonly storage: Warning; readonly both: Warning };
}

const citation = "26 USC 7701(a)(51)-(52), 45Y(b)(1), 48E(b)(6); Notice 2026-15";

function createAssistance(from: string, to: string | null, facility: number, storage: number): MaterialAssistance {
	const year = from.slice(0, 4);
	const when = to === null ? `in ${year} or later` : `in ${year}`;
	const warning = (share: string): Warning => ({
		code: "FEOC",
		message: `For construction begun ${when}, there is no credit unless at least ${share} of the cost is free of prohibited foreign entities and the owner is not such an entity.`,
	});
	const [part, ofStorage] = [`${Math.round(facility * 100)} %`, `${Math.round(storage * 100)} %`];
	return {
		law: law(`Material assistance cost ratio: ${part}, storage ${ofStorage} (begun ${when})`, citation, from, to),
		warnings: { facility: warning(part), storage: warning(ofStorage), both: warning(`${part} (storage ${ofStorage})`) },
	};
}

export const materialAssistance: readonly MaterialAssistance[] = [
	createAssistance("2026-01-01", "2026-12-31", 0.4, 0.55),
	createAssistance("2027-01-01", "2027-12-31", 0.45, 0.6),
	createAssistance("2028-01-01", "2028-12-31", 0.5, 0.65),
	createAssistance("2029-01-01", "2029-12-31", 0.55, 0.7),
	createAssistance("2030-01-01", null, 0.6, 0.75),
];
