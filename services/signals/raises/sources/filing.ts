/** Checks the values of a Form D from any published format and converts them to a record. Pure. */
import type { Account } from "../../records/account.ts";
import {
	clip,
	isPlausibleDay,
	parseAccessionNumber,
	parseAmount,
	parseCik,
	parseDay,
	parseFlag,
	shortText,
} from "../../records/fields.ts";
import type { FormD } from "../../records/records.ts";

type FiledValue = string | null | undefined;

/** The values as filed, before validation. Each is missing from some of the published formats. */
export interface FiledFormD {
	accessionNumber?: FiledValue;
	/** From an index, a header or a data set: the document does not contain it. */
	filingDate?: FiledValue;
	signatureDates?: FiledValue[];
	fileNumber?: FiledValue;
	submissionType?: FiledValue;
	testOrLive?: FiledValue;
	isAmendment?: FiledValue;
	previousAccessionNumber?: FiledValue;
	cik?: FiledValue;
	issuerName?: FiledValue;
	previousNames?: FiledValue[];
	entityType?: FiledValue;
	jurisdiction?: FiledValue;
	streets?: FiledValue[];
	city?: FiledValue;
	/** SEC's code of the state or country. */
	state?: FiledValue;
	/** `withinFiveYears`, `overFiveYears` or `yetToBeFormed`. */
	yearOfIncChoice?: FiledValue;
	yearOfInc?: FiledValue;
	industryGroup?: FiledValue;
	totalOfferingAmount?: FiledValue;
	totalAmountSold?: FiledValue;
	dateOfFirstSale?: FiledValue;
	isEquity?: FiledValue;
	isDebt?: FiledValue;
	persons?: FiledPerson[];
	clarifications?: FiledValue[];
}

interface FilingContext {
	now: Date;
	account: Account;
	/** Identifies a filing without an accession number: the file name, a line number. */
	label: string;
}

/** Returns null if the filing was dropped: a test filing, another form, or no accession number, issuer or date. */
export function toFormD(filed: FiledFormD, context: FilingContext): FormD | null {
	const { account, now } = context;
	const accession = parseAccessionNumber(filed.accessionNumber);
	const label = accession ?? context.label;
	const form = shortText(filed.submissionType, 30)?.toUpperCase() ?? null;
	const issuer = { cik: parseCik(filed.cik), name: shortText(filed.issuerName) };
	const drop = (reason: string): null => {
		account.drop(reason, label);
		return null;
	};
	if (form !== "D" && form !== "D/A") return drop(`form ${form ?? "(none)"} is neither D nor D/A`);
	if (shortText(filed.testOrLive, 20)?.toUpperCase() === "TEST") return drop("a test filing");
	if (accession === null) return drop("no accession number, neither in the file nor in its name");
	if (issuer.cik === null) return drop("the issuer has no CIK");
	if (issuer.name === null) return drop("the issuer has no name");
	const check = new Checker(context, accession);
	const filedDay = check.day("filing date", filed.filingDate);
	const signatureDays = (filed.signatureDates ?? [])
		.map(parseDay)
		.filter((one) => one !== null && isPlausibleDay(one, now));
	const filingDate = filedDay ?? signatureDays.toSorted().at(-1) ?? null;
	if (filingDate === null) return drop("no plausible filing date or date of signature");
	return {
		accession_number: accession,
		filing_date: filingDate,
		filing_date_known: filedDay !== null,
		file_number: shortText(filed.fileNumber, 30),
		is_amendment: form === "D/A" || parseFlag(filed.isAmendment),
		previous_accession_number: check.accession("previous accession number", filed.previousAccessionNumber),
		cik: issuer.cik,
		issuer_name: issuer.name,
		previous_names: listPreviousNames(filed.previousNames),
		entity_type: shortText(filed.entityType),
		jurisdiction: shortText(filed.jurisdiction),
		issuer_street: joinParts(filed.streets, ", ", 300),
		issuer_city: shortText(filed.city),
		issuer_state: shortText(filed.state, 20),
		year_of_inc: check.yearOfInc(filed),
		industry_group: shortText(filed.industryGroup),
		total_offering_amount: check.amount("total offering amount", filed.totalOfferingAmount),
		total_amount_sold: check.amount("total amount sold", filed.totalAmountSold),
		date_of_first_sale: check.day("date of first sale", filed.dateOfFirstSale),
		is_equity: parseFlag(filed.isEquity),
		is_debt: parseFlag(filed.isDebt),
		related_persons: listPersons(filed.persons),
		clarification: joinParts(filed.clarifications, " / ", 4000),
	};
}

/** Checks values, because SEC does not. An implausible value becomes null and is counted as a note. */
class Checker {
	readonly #context: FilingContext;
	readonly #accession: string;

	constructor(context: FilingContext, accession: string) {
		this.#context = context;
		this.#accession = accession;
	}

	day(field: string, filed: FiledValue): string | null {
		const value = shortText(filed, 40);
		if (value === null) return null;
		const iso = parseDay(value);
		if (iso !== null && isPlausibleDay(iso, this.#context.now)) return iso;
		return this.omit(field, value);
	}

	amount(field: string, filed: FiledValue): number | null {
		const value = shortText(filed, 60);
		if (value === null || value.toLowerCase() === "indefinite") return null;
		return parseAmount(value) ?? this.omit(field, value);
	}

	accession(field: string, filed: FiledValue): string | null {
		const value = shortText(filed, 60);
		return value === null ? null : (parseAccessionNumber(value) ?? this.omit(field, value));
	}

	/** Returns the year, or else the wording of the choice on the form. */
	yearOfInc({ yearOfInc, yearOfIncChoice }: FiledFormD): string | null {
		const year = shortText(yearOfInc, 40);
		if (year !== null) {
			const isPlausible =
				/^\d{4}$/.test(year) && year >= "1700" && Number(year) <= this.#context.now.getUTCFullYear() + 1;
			return isPlausible ? year : this.omit("year of incorporation", year);
		}
		const choice = shortText(yearOfIncChoice, 40)?.toLowerCase().replaceAll(" ", "");
		if (choice === "overfiveyears") return "Over Five Years Ago";
		return choice === "yettobeformed" ? "Yet to Be Formed" : null;
	}

	omit(field: string, value: string): null {
		this.#context.account.note(`${field} is not plausible and was left out`, `${this.#accession}: ${value}`);
		return null;
	}
}

/** Returns each name once, regardless of case. "None" is not a name. */
function listPreviousNames(filed: readonly FiledValue[] = []): string[] {
	const names = new Map<string, string>();
	for (const one of filed.slice(0, 20)) {
		const name = shortText(one);
		const key = name?.toLowerCase() ?? "none";
		if (name !== null && key !== "none" && !names.has(key)) names.set(key, name);
	}
	return [...names.values()].sort();
}

function joinParts(parts: readonly FiledValue[] | undefined, separator: string, max: number): string | null {
	const known = (parts ?? []).map((part) => shortText(part, max)).filter((part) => part !== null);
	return known.length === 0 ? null : clip(known.join(separator), max);
}

export interface FiledPerson {
	first: FiledValue;
	middle: FiledValue;
	last: FiledValue;
	relationships: FiledValue[];
	city: FiledValue;
	/** SEC's code of the state or country. */
	state: FiledValue;
}

/** A form lists up to 100 persons, but co-issuers repeat their persons. */
const maxPersons = 400;

/** Placeholders in a part of a name that does not apply. A part without a letter or digit (`-`, `*`, `.`) is also a placeholder. */
const placeholder = /^(n\s?[/.]\s?a\.?|none|not applicable)$/i;

const legalSuffix =
	/^(the )?(l\.?l\.?c\.?|l\.?l\.?l?\.?p\.?|l\.?p\.?|inc\.?|incorporated|ltd\.?|limited|corp\.?|corporation|co\.?|company|plc|p\.?c\.?|s\.?[aà]\.?( r\.?l\.?)?|s\.?[aà]\.?r\.?l\.?|gmbh|n\.?v\.?|b\.?v\.?|trust|gp|lp|llc|limited partnership|limited liability company)$/i;

/** Returns the persons that have a name, without placeholders. */
function listPersons(filed: readonly FiledPerson[] = []): FormD["related_persons"] {
	const persons: FormD["related_persons"] = [];
	for (const person of filed.slice(0, maxPersons)) {
		const name = personName(person);
		if (name === null) continue;
		persons.push({
			name,
			relationships: person.relationships.map((one) => shortText(one)).filter((one) => one !== null),
			city: shortText(person.city),
			state: shortText(person.state, 20),
		});
	}
	// The copy has no spare capacity, which saves memory: a data set contains half a million persons.
	return persons.slice();
}

/** Joins first, middle and last name. Companies are filed in these parts, too: a legal form filed as the first name is moved to the end. */
function personName({ first, middle, last }: FiledPerson): string | null {
	const given = cleanPart(first);
	const family = cleanPart(last);
	// "NA" may be a person's first name. It is a placeholder only if the last name is that of a company.
	const isPlaceholder = given?.toUpperCase() === "NA" && family !== null && endsWithLegalForm(family);
	const parts = [isPlaceholder ? null : given, cleanPart(middle), family].filter((one) => one !== null);
	if (given !== null && family !== null && legalSuffix.test(given)) {
		parts.shift();
		parts.push(given);
	}
	return parts.length === 0 ? null : parts.join(" ");
}

function cleanPart(value: FiledValue): string | null {
	const name = shortText(value, 150);
	return name === null || placeholder.test(name) || !/[\p{L}\p{N}]/u.test(name) ? null : name;
}

function endsWithLegalForm(name: string): boolean {
	return legalSuffix.test(name.split(/[\s,]+/).at(-1) ?? "");
}
