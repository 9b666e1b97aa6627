/** Reads SEC's quarterly Form D data sets: a zip file (or folder) of tab-separated tables, which are joined by accession number. */
import { inflateArchive } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../../records/account.ts";
import { parseAccessionNumber, parseFlag } from "../../records/fields.ts";
import type { FormD, Parsed, SourceFile } from "../../records/records.ts";
import { type FiledFormD, toFormD } from "./filing.ts";
import { readTsv, type TsvRow } from "./tsv.ts";

const tables = ["FORMDSUBMISSION", "ISSUERS", "OFFERING", "RELATEDPERSONS"] as const;
type TableName = (typeof tables)[number];

const requiredColumns: Record<TableName, readonly string[]> = {
	FORMDSUBMISSION: ["ACCESSIONNUMBER", "FILE_NUM", "FILING_DATE", "SUBMISSIONTYPE", "TESTORLIVE"],
	ISSUERS: ["ACCESSIONNUMBER", "IS_PRIMARYISSUER_FLAG", "CIK", "ENTITYNAME", "STREET1", "CITY", "STATEORCOUNTRY"],
	OFFERING: [
		"ACCESSIONNUMBER",
		"INDUSTRYGROUPTYPE",
		"ISAMENDMENT",
		"SALE_DATE",
		"TOTALOFFERINGAMOUNT",
		"TOTALAMOUNTSOLD",
	],
	RELATEDPERSONS: ["ACCESSIONNUMBER", "FIRSTNAME", "LASTNAME"],
};

/** A quarter is about 3 MB compressed and 30 MB uncompressed. */
const zipLimits = { maxInflatedBytes: 256 * 1024 * 1024, maxEntries: 100 };

/** Reads a `{YYYY}q{Q}_d.zip`. @throws StructureError if the archive is damaged or a zip bomb, or a table or column is missing */
export async function readQuarterlyZip(zip: SourceFile, now: Date): Promise<Parsed<FormD>> {
	const isWanted = (name: string) => tables.some((table) => name.toUpperCase().endsWith(`${table}.TSV`));
	const { entries } = await inflateArchive(zip.bytes, isWanted, zipLimits);
	return readQuarterlyTables(
		[...entries].map(([name, bytes]) => ({ name: `${zip.name}/${name}`, bytes })),
		now,
	);
}

/** Recognizes a table of a data set by its header, including the two tables that are not read. */
export function isQuarterlyTable(bytes: Uint8Array): boolean {
	return peek(bytes, 4096).startsWith("accessionnumber\t");
}

/**
 * Reads the tables of one or more quarters. `rowsIn` counts the rows of FORMDSUBMISSION, each of which becomes a record or is dropped.
 * Rows of other tables that belong to no filing are counted as notes.
 * @throws StructureError if a table or a required column is missing
 */
export function readQuarterlyTables(files: readonly SourceFile[], now: Date): Parsed<FormD> {
	const byTable = new Map<TableName, SourceFile[]>();
	for (const file of files) {
		const table = tableOf(file);
		if (table) byTable.set(table, [...(byTable.get(table) ?? []), file]);
	}
	const missing = tables.filter((table) => !byTable.has(table));
	if (missing.length > 0) {
		const names = files.map(({ name }) => name).join(", ");
		throw new StructureError(
			`Form D data set (${names}): missing ${missing.map((table) => `${table}.tsv`).join(", ")}`,
		);
	}
	const join = new TableJoin(now);
	for (const table of tables) {
		for (const file of byTable.get(table) ?? []) join.read(table, file);
	}
	return join.finish();
}

function tableOf(file: SourceFile): TableName | null {
	const [header = ""] = peek(file.bytes, 4096).toUpperCase().split(/\r?\n/, 1);
	const columns = new Set(header.split("\t"));
	if (columns.has("FILING_DATE")) return "FORMDSUBMISSION";
	if (columns.has("IS_PRIMARYISSUER_FLAG")) return "ISSUERS";
	if (columns.has("RELATEDPERSON_SEQ_KEY")) return "RELATEDPERSONS";
	if (columns.has("INDUSTRYGROUPTYPE")) return "OFFERING";
	// Without an identifying column the file name decides, so that reading the table reports which column is missing.
	return tables.find((table) => file.name.toUpperCase().endsWith(`${table}.TSV`)) ?? null;
}

/** A filing while its rows are joined. */
interface Draft {
	filed: FiledFormD;
	hasOffering: boolean;
	label: string;
}

/** Why a filing lacks the values of a table. */
interface Loss {
	reason: string;
	place: string;
}

const noOffering: Loss = { reason: "no row in OFFERING", place: "" };

class TableJoin {
	readonly #account = new Account();
	readonly #drafts = new Map<string, Draft>();
	/** Unreadable rows, by accession number and table. */
	readonly faultyRows = new Map<string, Loss>();
	readonly #now: Date;

	constructor(now: Date) {
		this.#now = now;
	}

	read(table: TableName, file: SourceFile): void {
		for (const row of readTsv(file.bytes, file.name, requiredColumns[table])) {
			const label = `${file.name}, line ${row.number}`;
			const isFiling = table === "FORMDSUBMISSION";
			if (isFiling) this.#account.rowsIn++;
			if (row.fault !== null) {
				if (isFiling) this.#account.drop(`a row of ${table} ${row.fault}`, label);
				else this.#recordFault(table, row, row.fault, label);
			} else if (isFiling) this.#addSubmission(row, label);
			else this.#addPart(table, row, label);
		}
	}

	finish(): Parsed<FormD> {
		const records: FormD[] = [];
		for (const [accession, draft] of this.#drafts) {
			// Releases each draft immediately, because the drafts and records of a million rows do not fit into memory together.
			this.#drafts.delete(accession);
			const filing = this.#complete(accession, draft);
			if (filing) records.push(filing);
		}
		return this.#account.finish(records);
	}

	/** Converts the draft to a record. A filing with an unreadable row is dropped for that reason, not for missing values. */
	#complete(accession: string, { filed, hasOffering, label }: Draft): FormD | null {
		const loss =
			(filed.cik == null ? this.faultyRows.get(`${accession} ISSUERS`) : undefined) ??
			(hasOffering ? undefined : (this.faultyRows.get(`${accession} OFFERING`) ?? noOffering));
		if (loss === undefined) return toFormD(filed, { now: this.#now, account: this.#account, label });
		this.#account.drop(loss.reason, `${accession}${loss.place}`);
		return null;
	}

	#recordFault(table: TableName, { key }: TsvRow, fault: string, label: string): void {
		this.#account.note(`a row of ${table} ${fault}`, label);
		const accession = parseAccessionNumber(key) ?? "";
		if (this.#drafts.has(accession))
			this.faultyRows.set(`${accession} ${table}`, { reason: `its row of ${table} ${fault}`, place: `: ${label}` });
	}

	#addSubmission(row: TsvRow, label: string): void {
		const accession = parseAccessionNumber(row.get("ACCESSIONNUMBER"));
		if (accession === null) this.#account.drop("no accession number", label);
		else if (this.#drafts.has(accession)) this.#account.drop("another row has the same accession number", label);
		else this.#drafts.set(accession, { filed: readSubmissionRow(accession, row), hasOffering: false, label });
	}

	#addPart(table: TableName, row: TsvRow, label: string): void {
		const draft = this.#drafts.get(parseAccessionNumber(row.get("ACCESSIONNUMBER")) ?? "");
		if (!draft) {
			this.#account.note(`a row of ${table} belongs to no filing of the set`, label);
		} else if (table === "OFFERING") {
			draft.hasOffering = true;
			Object.assign(draft.filed, readOfferingRow(row));
		} else if (table === "RELATEDPERSONS") {
			addPerson(draft.filed, row);
		} else if (parseFlag(row.get("IS_PRIMARYISSUER_FLAG"))) {
			Object.assign(draft.filed, readIssuerRow(row));
		}
	}
}

function readSubmissionRow(accession: string, row: TsvRow): FiledFormD {
	return {
		accessionNumber: accession,
		persons: [],
		filingDate: row.get("FILING_DATE"),
		fileNumber: row.get("FILE_NUM"),
		submissionType: row.get("SUBMISSIONTYPE"),
		testOrLive: row.get("TESTORLIVE"),
	};
}

function readIssuerRow(row: TsvRow): Partial<FiledFormD> {
	const numbers = [1, 2, 3];
	return {
		cik: row.get("CIK"),
		issuerName: row.get("ENTITYNAME"),
		previousNames: ["ISSUER", "EDGAR"].flatMap((by) => numbers.map((at) => row.get(`${by}_PREVIOUSNAME_${at}`))),
		entityType: row.get("ENTITYTYPE"),
		jurisdiction: row.get("JURISDICTIONOFINC"),
		streets: [row.get("STREET1"), row.get("STREET2")],
		city: row.get("CITY"),
		state: row.get("STATEORCOUNTRY"),
		yearOfIncChoice: row.get("YEAROFINC_TIMESPAN_CHOICE"),
		yearOfInc: row.get("YEAROFINC_VALUE_ENTERED"),
	};
}

function readOfferingRow(row: TsvRow): Partial<FiledFormD> {
	return {
		isAmendment: row.get("ISAMENDMENT"),
		previousAccessionNumber: row.get("PREVIOUSACCESSIONNUMBER"),
		industryGroup: row.get("INDUSTRYGROUPTYPE"),
		totalOfferingAmount: row.get("TOTALOFFERINGAMOUNT"),
		totalAmountSold: row.get("TOTALAMOUNTSOLD"),
		dateOfFirstSale: row.get("SALE_DATE"),
		isEquity: row.get("ISEQUITYTYPE"),
		isDebt: row.get("ISDEBTTYPE"),
		clarifications: [
			row.get("DESCRIPTIONOFOTHERTYPE"),
			row.get("BUSCOMBCLARIFICATIONOFRESP"),
			row.get("SALESAMTCLARIFICATIONOFRESP"),
			row.get("FINDERFEECLARIFICATIONOFRESP"),
			row.get("GROSSPROCEEDSUSED_CLAROFRESP"),
		],
	};
}

function addPerson(filed: FiledFormD, row: TsvRow): void {
	filed.persons?.push({
		first: row.get("FIRSTNAME"),
		middle: row.get("MIDDLENAME"),
		last: row.get("LASTNAME"),
		relationships: [1, 2, 3].map((at) => row.get(`RELATIONSHIP_${at}`)),
		city: row.get("CITY"),
		state: row.get("STATEORCOUNTRY"),
	});
}
