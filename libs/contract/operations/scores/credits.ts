/** Federal tax credits that a plant could claim under current law. */
import { z } from "zod";
import { citation, day, megawatts, named, quantity, share, usd } from "../../envelopes.ts";
import { gatewayOperation, scoringOperation } from "../../operation.ts";
import { choice, decimal, flag, integer, isDay, words } from "../../params.ts";
import { technology } from "../../technology.ts";
import { bonusStatuses, creditStatuses, creditTypes, stateCodes } from "../../vocabulary.ts";
import { exampleId, projectIdParams } from "../projects/project.ts";
import { expectedCredit, listed } from "./score-row.ts";

const bonus = {
	eligible: z.boolean().describe("Counted in effective_rate"),
	status: z.enum(bonusStatuses),
	bonus_pct: share().describe("Addition to the rate, or possible addition if the bonus is only possible"),
	reason: z.string(),
};

/** Start of construction. Some rules depend on the exact day. */
const constructionStart = () =>
	z
		.string({ error: "must be a year or a date, 2026 or 2026-07-04" })
		.trim()
		.refine((value) => /^(19|20)\d\d$/.test(value) || (/^(19|20)\d\d-/.test(value) && isDay(value)), {
			error: "must be a year or a date that exists, 2026 or 2026-07-04",
		})
		.meta({ pattern: "^(19|20)\\d\\d(-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01]))?$" });

const lines = {
	credit_type: z.enum(creditTypes).nullable(),
	status: z.enum(creditStatuses),
	base_credit_pct: share().describe("Before adders"),
	base_rate: share().describe("Same value as base_credit_pct"),
	phase_factor: share().describe("Share of the credit that is left at the end dates"),
	effective_rate: share().describe("(base + adders) x phase factor; of a PTC its ITC equivalent"),
	at_risk_rate: share().nullable().describe("Remaining rate if the condition of a conditional rate fails"),
	ptc_cents_per_kwh: quantity("US cents/kWh")
		.nullable()
		.describe("For sales in the rate's year; null if no PTC can be claimed"),
	ptc_rate_year: z.int().nullable(),
	estimated_credit_value: usd()
		.nullable()
		.describe("Null if no cost of the technology is known, or for the reason of a warning"),
	bonuses: z.strictObject({
		energy_community: z.strictObject({
			...bonus,
			notice: z.string().nullable().describe("Notice whose list was checked"),
		}),
		domestic_content: z.strictObject({
			...bonus,
			required_pct: share().nullable().describe("Share of manufactured products that must be domestic"),
		}),
		low_income: z.strictObject(bonus),
	}),
	warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
	assumptions: z.array(z.string()),
	citations: z.array(citation()),
	as_of: day().describe("Day of the law"),
};

export const calculateTaxCredits = scoringOperation({
	summary:
		"Investment and production tax credit of a plant: base rate, bonus adders, end dates, warnings and the law behind each.",
	params: z.strictObject({
		technology: technology().describe("Technology, in any case, or a common name: PV, BESS, solar + storage"),
		capacity_mw: decimal(0.001, 100_000, "MW").describe("MW AC; from 1 kW"),
		state: choice(stateCodes).describe("State or territory, two letters"),
		county: z.string().trim().max(100).default("").describe("County name or five-digit FIPS code"),
		cod_year: integer(2022, 2060)
			.optional()
			.describe("Year placed in service; when absent the current year, with a warning"),
		domestic_content: flag().default(false).describe("Whether the domestic-content test is met"),
		construction_start: constructionStart().optional().describe("Year or day on which construction began or begins"),
		pwa: flag().default(true).describe("Whether the prevailing-wage and apprenticeship rules are met"),
		tract: z
			.string()
			.regex(/^\d{11}$/, "must be a census tract of eleven digits (2020)")
			.optional()
			.describe("Census tract, 2020 vintage"),
		low_income_category: integer(1, 4).optional().describe("Category of a low-income allocation that was awarded"),
		credit: choice(["auto", "itc", "ptc"]).default("auto").describe("Which credit to elect; auto: the usual one"),
	}),
	reply: z.strictObject({
		data: z.strictObject({
			technology: z.string(),
			capacity_mw: megawatts(),
			state: z.string(),
			county: z.string().nullable(),
			county_fips: z.string().nullable(),
			cod: z.int().describe("Year placed in service"),
			construction_start: z.string().nullable().describe("Start of construction"),
			...lines,
		}),
	}),
	http: { method: "GET", path: "/tax-credits/calculate", price: "premium" },
	example: { technology: "Solar", capacity_mw: 100, state: "TX", county: "Reeves", cod_year: 2027 },
	maxAgeMs: 60_000,
	noPast: "It calculates for a plant that the caller describes, by current law.",
});

const projectCredit = named("ProjectCredit", {
	project_id: z.string(),
	data: z
		.strictObject({
			technology: z.string().describe("type_std of the request"),
			capacity_mw: megawatts().nullable().describe("Null if no plausible capacity is filed"),
			state: z.string().nullable(),
			counties: z.array(z.string()),
			cod: z.int().describe("Year placed in service: of cod, or assumed (see warnings)"),
			...lines,
			...expectedCredit,
			p_reason: listed.p_reason,
		})
		.nullable()
		.describe("Null for a request that is closed or not for generation"),
});

export const getProjectTaxCredit = gatewayOperation({
	summary:
		"Calculation of a request's tax credit from its filed data: base rate, bonus adders, end dates, warnings and the law behind each.",
	params: z.strictObject({
		...projectIdParams,
	}),
	reply: projectCredit,
	http: { method: "GET", path: "/projects/{project_id}/tax-credit", price: "premium" },
	example: { project_id: exampleId },
	noPast: "It is calculated by current law; `/export/scores?as_of=` has the credits that were published.",
});

export const readTaxCredit = scoringOperation({
	summary: "Calculation of the tax credit of the request with this id: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id") }),
	reply: projectCredit,
	maxAgeMs: 60_000,
});
