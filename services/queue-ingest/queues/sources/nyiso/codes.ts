/** NYISO's status and fuel codes, from the legend below the sheets of its workbook. Pure. */
import type { Status, StudyPhase } from "#libs/contract/vocabulary.ts";
import { text } from "#libs/files/values.ts";
import type { FiledRequest, StageEvidence } from "../../../sources/source.ts";

interface Code {
	/** Text of the code in NYISO's legend. */
	words: string;
	phase: StudyPhase | null;
	stage: StageEvidence["stage"];
}

/** Codes of the serial process and of the cluster process. Codes of the latter end in C, which cluster sheets may omit. */
const codes: Record<string, Code> = {
	"0": { words: "Withdrawn", phase: null, stage: "early" },
	"1": { words: "Scoping Meeting Pending", phase: "Not Started", stage: "early" },
	"2": { words: "FES Pending", phase: "Feasibility", stage: "early" },
	"3": { words: "FES in Progress", phase: "Feasibility", stage: "early" },
	"3A": { words: "FES Approved/Performed", phase: "Feasibility", stage: "early" },
	"4": { words: "SRIS/SIS Pending", phase: "SIS", stage: "early" },
	"5": { words: "SRIS/SIS in Progress", phase: "SIS", stage: "early" },
	"5P": { words: "SRIS/SIS commenced, stopped pending new process", phase: "SIS", stage: "early" },
	"6": { words: "SRIS/SIS Approved", phase: "SIS", stage: "mid" },
	"7": { words: "FS Pending", phase: "Facilities", stage: "mid" },
	"8": { words: "Rejected Cost Allocation/Next FS Pending", phase: "Facilities", stage: "mid" },
	"9": { words: "FS in Progress", phase: "Facilities", stage: "mid" },
	"10": { words: "Accepted Cost Allocation/IA in Progress", phase: "GIA", stage: "late" },
	"11": { words: "IA Completed", phase: "IA Executed", stage: "late" },
	"12": { words: "Under Construction", phase: "IA Executed", stage: "construction" },
	"13": { words: "In Service for Test", phase: "IA Executed", stage: "construction" },
	"14": { words: "In Service Commercial", phase: "IA Executed", stage: "construction" },
	"15": { words: "Partial In-Service", phase: "IA Executed", stage: "construction" },
	P: { words: "Pending Adoption of IP Compliance with Order 2023", phase: null, stage: "early" },
	"1C": { words: "IR Validated/Scoping Meeting Pending", phase: "Not Started", stage: "early" },
	"2C": { words: "Customer Engagement Window", phase: "Not Started", stage: "early" },
	"3C": { words: "Phase 1 Entry Decision Period", phase: "Feasibility", stage: "early" },
	"4C": { words: "Phase 1 Study", phase: "Feasibility", stage: "early" },
	"5C": { words: "Phase 2 Entry Decision Period", phase: "SIS", stage: "early" },
	"6C": { words: "Phase 2 Study", phase: "SIS", stage: "early" },
	"7C": { words: "Final Decision Period", phase: "Facilities", stage: "mid" },
	"10C": { words: "Accepted Cost Allocation/IA in Progress", phase: "GIA", stage: "late" },
	"11C": { words: "IA Completed", phase: "IA Executed", stage: "late" },
	"12C": { words: "Under Construction", phase: "IA Executed", stage: "construction" },
	"13C": { words: "In Service for Test", phase: "IA Executed", stage: "construction" },
	"14C": { words: "In Service Commercial", phase: "IA Executed", stage: "construction" },
	"15C": { words: "Partially In-Service", phase: "IA Executed", stage: "construction" },
};

/** Codes in the form that `foldCase` returns, in which values are compared. */
export const knownCodes: ReadonlySet<string> = new Set(Object.keys(codes).map((code) => code.toLowerCase()));

/** Codes of built requests, in any sheet. */
const operationalCodes = new Set(["14", "15", "14C", "15C"]);

export type CodeStatus = Pick<
	FiledRequest,
	"status" | "statusStd" | "studyPhaseFiled" | "studyPhase" | "iaStatusFiled" | "evidence"
>;

export interface CodeSheet {
	status: Status;
	/** Whether codes without C also belong to the cluster process: 6 then means 6C, which differs from 6 in the serial process. */
	cluster?: boolean;
}

/**
 * Interprets a status cell by the last code in it ("9, 10" is 10) and by its sheet. Sheets of finished requests take precedence over the
 * code, and determine the status if the cell has no known code. `unknown` is the cell if its last code is not in the legend.
 */
export function interpretCode(
	cell: string | null,
	{ status: sheet, cluster = false }: CodeSheet,
): CodeStatus & { unknown: string | null } {
	const filedCode = cell?.split(",").at(-1)?.trim().toUpperCase() ?? "";
	const lastCode = cluster && /^[1-9]\d?$/.test(filedCode) ? `${filedCode}C` : filedCode;
	const code = Object.hasOwn(codes, lastCode) ? codes[lastCode] : undefined;
	const unknown = cell !== null && code === undefined ? cell : null;
	if (sheet === "Withdrawn" || lastCode === "0") return { ...toWithdrawnStatus(lastCode), unknown };
	const statusStd = sheet === "Operational" || operationalCodes.has(lastCode) ? "Operational" : "Active";
	const stage = code?.stage ?? "early";
	const hasAgreement = code?.phase === "GIA" || lastCode === "11" || lastCode === "11C";
	return {
		status: cell ?? (sheet === "Operational" ? "In Service" : null),
		statusStd,
		studyPhaseFiled: code?.phase ? code.words : null,
		studyPhase: code?.phase ?? null,
		iaStatusFiled: hasAgreement ? (code?.words ?? null) : null,
		evidence: { stage, basis: basisOf(statusStd, code), contradictory: false },
		unknown,
	};
}

function toWithdrawnStatus(code: string): CodeStatus {
	return {
		status: code === "0" ? "0" : "Withdrawn",
		statusStd: "Withdrawn",
		studyPhaseFiled: null,
		studyPhase: null,
		iaStatusFiled: null,
		evidence: { stage: "early", basis: "published", contradictory: false },
	};
}

function basisOf(status: Status, code: Code | undefined): StageEvidence["basis"] {
	if (status === "Operational" || code?.stage === "construction") return "published";
	if (code?.phase === "IA Executed") return "agreement";
	return code?.phase ? "study-code" : "active-only";
}

/** Fuel codes by standard technology. M is methane, D dual fuel, HSR a hybrid whose parts are not filed. */
export const fuelTokens: Record<string, string> = {
	s: "Solar",
	es: "Storage",
	w: "Wind",
	osw: "Offshore Wind",
	nu: "Nuclear",
	h: "Hydro",
	ps: "Pumped Storage",
	cs: "Gas",
	st: "Gas",
	"cc-d": "Gas",
	"ct-d": "Gas",
	d: "Gas",
	m: "Biomass",
	wo: "Biomass",
	sw: "Waste",
	f: "Other Storage",
	o: "Oil",
	c: "Coal",
	cr: "Solar + Storage",
	cw: "Wind + Storage",
	hsr: "Other",
	l: "Load",
};

/** Until 2024 offshore wind was filed as W. No wind farms are built on land in these coastal counties. */
const coastalCounties = /\b(suffolk|kings|richmond|nassau|queens|new york|ny)\b/i;

export function isOffshore(typeStd: string, county: string | null): boolean {
	return typeStd === "Wind" && coastalCounties.test(text(county) ?? "");
}
