/** Small workbooks of form EIA-860 in the layout of 2020, from rows that say only what a test is about. */
import type { Cell } from "#libs/files/values.ts";
import type { IncomingFile } from "../../../services/queue-ingest/sources/archive.ts";
import { workbook } from "../../support/file-formats.ts";

export interface Owner {
	plant: number;
	generator: string;
	name: string;
	id: number;
	share: number | null;
	city?: string;
	status?: string;
}

export interface Unit {
	plant: number;
	generator: string;
	mw?: number;
	year?: number;
	stage?: "Operable" | "Proposed" | "Retired and Canceled";
}

export interface Form {
	year?: number;
	early?: boolean;
}

const operators: Record<number, [id: number, name: string]> = {
	60001: [501, "Larkspur Operating LLC"],
	60002: [502, "Duke Energy Florida, LLC"],
};
const plantNames: Record<number, string> = { 60001: "Larkspur Ridge Solar", 60002: "Heron Lake" };
const operatorOf = (plant: number): [number, string] => operators[plant] ?? [500, "Any Power Co"];
const nameOf = (plant: number): string => plantNames[plant] ?? `Plant ${plant}`;

const file = async (
	{ year = 2020, early = false }: Form,
	name: string,
	schedule: string,
	sheets: { name: string; header: string[]; rows: Cell[][] }[],
): Promise<IncomingFile> => {
	const called = `${name}_Y${year}${early ? "_Early_Release" : ""}.xlsx`;
	const above: Cell[][] = [[`${year} Form EIA-860 Data - Schedule ${schedule}`]];
	if (early) above.push(["EARLY RELEASE: not fully edited"]);
	const tables = sheets.map((sheet) => ({ name: sheet.name, rows: [...above, sheet.header, ...sheet.rows] }));
	return { name: called, path: called, bytes: await workbook(tables) };
};

export const utilityFile = (form: Form = {}) =>
	file(form, "1___Utility", "1, 'Utility Data'", [
		{
			name: "Utility",
			header: ["Utility ID", "Utility Name", "Street Address", "City", "State", "Zip", "Entity Type"],
			rows: [
				[501, "Larkspur Operating LLC", "1 Main St", "Bakersfield", "CA", 93301, "Q"],
				[502, "Duke Energy Florida, LLC", "299 First Ave", "St. Petersburg", "FL", 33701, "I"],
			],
		},
	]);

export const plantFile = (form: Form = {}) =>
	file(form, "2___Plant", "2, 'Plant Data'", [
		{
			name: "Plant",
			header: ["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "County", "Balancing Authority Code"],
			rows: [60001, 60002].map((plant) => [
				...operatorOf(plant),
				...[plant, nameOf(plant), plant === 60001 ? "CA" : "FL", plant === 60001 ? "Kern" : "Lee"],
				plant === 60001 ? "CISO" : "FPC",
			]),
		},
	]);

export const solarFile = (units: Unit[], form: Form = {}) =>
	file(
		form,
		"3_3_Solar",
		"3, 'Solar Technology Data'",
		(["Operable", "Proposed", "Retired and Canceled"] as const).map((stage) => ({
			name: stage,
			header: [
				...["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "County", "Generator ID", "Status"],
				...["Technology", "Nameplate Capacity (MW)", "Operating Year"],
			],
			rows: units
				.filter((unit) => (unit.stage ?? "Operable") === stage)
				.map((unit) => [
					...operatorOf(unit.plant),
					...[unit.plant, nameOf(unit.plant), "CA", "Kern", unit.generator],
					{ Operable: "OP", Proposed: "P", "Retired and Canceled": "RE" }[stage],
					...["Solar Photovoltaic", unit.mw ?? 50, unit.year ?? 2018],
				]),
		})),
	);

export const ownerFile = (owners: Owner[], form: Form = {}) =>
	file(form, "4___Owner", "4, 'Generator Ownership' (Jointly or Third-Party Owned Only)", [
		{
			name: "Ownership",
			header: [
				...["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "Generator ID", "Status"],
				...["Owner Name", "Owner City", "Owner State", "Ownership ID", "Percent Owned"],
			],
			rows: owners.map((owner) => [
				...operatorOf(owner.plant),
				...[owner.plant, nameOf(owner.plant), "CA", owner.generator, owner.status ?? "OP"],
				...[owner.name, owner.city ?? "Juno Beach", "FL", owner.id, owner.share],
			]),
		},
	]);
