/** One Form D as any of its publications states it, field by field, checked and turned into a record. Pure. */
import type { Account } from "../../records/account.ts";
import { accessionNumber, amount, cik, clip, day, flag, isPlausibleDay, shortText } from "../../records/fields.ts";
import type { FormD } from "../../records/records.ts";

/** As filed: nothing is checked or converted yet. */
export interface FiledFormD {
	accessionNumber: string | null;
	/** From an index, a header or a data set; the document itself does not hold it. */
	filingDate: string | null;
	signatureDates: (string | null)[];
	fileNumber: string | null;
	submissionType: string | null;
	testOrLive: string | null;
	isAmendment: string | null;
	previousAccessionNumber: string | null;
	cik: string | null;
	issuerName: string | null;
	previousNames: (string | null)[];
	entityType: string | null;
	jurisdiction: string | null;
	streets: (string | null)[];
	city: string | null;
	/** SEC's code. */
	state: string | null;
	/** `withinFiveYears`, `overFiveYears` or `yetToBeFormed`. */
	yearOfIncChoice: string | null;
	yearOfInc: string | null;
	industryGroup: string | null;
	totalOfferingAmount: string | null;
	totalAmountSold: string | null;
	dateOfFirstSale: string | null;
	isEquity: string | null;
	isDebt: string | null;
	persons: FiledPerson[];
	clarifications: (string | null)[];
}

/** A filing of which nothing is known yet. */
export function blankFormD(): FiledFormD {
	return {
		accessionNumber: null,
		filingDate: null,
		signatureDates: [],
		fileNumber: null,
		submissionType: null,
		testOrLive: null,
		isAmendment: null,
		previousAccessionNumber: null,
		cik: null,
		issuerName: null,
		previousNames: [],
		entityType: null,
		jurisdiction: null,
		streets: [],
		city: null,
		state: null,
		yearOfIncChoice: null,
		yearOfInc: null,
		industryGroup: null,
		totalOfferingAmount: null,
		totalAmountSold: null,
		dateOfFirstSale: null,
		isEquity: null,
		isDebt: null,
		persons: [],
		clarifications: [],
	};
}

export interface FilingContext {
	now: Date;
	account: Account;
	/** How a person finds a filing that has no accession number: the file's name, a line number. */
	label: string;
}

/** The record; null when it was dropped (counted in the account): a test, another form, no identity, no date. */
export function toFormD(filed: FiledFormD, context: FilingContext): FormD | null {
	const { account, now } = context;
	const accession = accessionNumber(filed.accessionNumber);
	const label = accession ?? context.label;
	const form = shortText(filed.submissionType, 30)?.toUpperCase() ?? null;
	const issuer = { cik: cik(filed.cik), name: shortText(filed.issuerName) };
	const drop = (reason: string): null => {
		account.drop(reason, label);
		return null;
	};
	if (form !== "D" && form !== "D/A") return drop(`form ${form ?? "(none)"} is neither D nor D/A`);
	if (shortText(filed.testOrLive, 20)?.toUpperCase() === "TEST") return drop("a test filing");
	if (accession === null) return drop("no accession number: neither stated nor in the file's name");
	if (issuer.cik === null) return drop("the issuer has no CIK");
	if (issuer.name === null) return drop("the issuer has no name");
	const check = new Checker(context, accession);
	const own = check.day("filing date", filed.filingDate);
	const signed = filed.signatureDates.map(day).filter((one) => one !== null && isPlausibleDay(one, now));
	const filingDate = own ?? signed.toSorted().at(-1) ?? null;
	if (filingDate === null) return drop("neither a filing date nor a date of signature");
	return {
		accessionNumber: accession,
		filingDate,
		filingDateKnown: own !== null,
		fileNumber: shortText(filed.fileNumber, 30),
		isAmendment: form === "D/A" || flag(filed.isAmendment),
		previousAccessionNumber: check.accession("previous accession number", filed.previousAccessionNumber),
		cik: issuer.cik,
		issuerName: issuer.name,
		previousNames: previousNames(filed.previousNames),
		entityType: shortText(filed.entityType),
		jurisdiction: shortText(filed.jurisdiction),
		issuerStreet: joined(filed.streets, ", ", 300),
		issuerCity: shortText(filed.city),
		issuerState: shortText(filed.state, 20),
		yearOfInc: check.yearOfInc(filed),
		industryGroup: shortText(filed.industryGroup),
		totalOfferingAmount: check.amount("total offering amount", filed.totalOfferingAmount),
		totalAmountSold: check.amount("total amount sold", filed.totalAmountSold),
		dateOfFirstSale: check.day("date of first sale", filed.dateOfFirstSale),
		isEquity: flag(filed.isEquity),
		isDebt: flag(filed.isDebt),
		relatedPersons: relatedPersons(filed.persons),
		clarification: joined(filed.clarifications, " / ", 4000),
	};
}

/** Values that Form D does not audit: what cannot be meant is null, and noted (fact sheet, 1.5). */
class Checker {
	readonly #context: FilingContext;
	readonly #accession: string;

	constructor(context: FilingContext, accession: string) {
		this.#context = context;
		this.#accession = accession;
	}

	day(field: string, filed: string | null): string | null {
		const value = shortText(filed, 40);
		if (value === null) return null;
		const iso = day(value);
		if (iso !== null && isPlausibleDay(iso, this.#context.now)) return iso;
		return this.#leaveOut(field, value);
	}

	amount(field: string, filed: string | null): number | null {
		const value = shortText(filed, 60);
		if (value === null || value.toLowerCase() === "indefinite") return null;
		return amount(value) ?? this.#leaveOut(field, value);
	}

	accession(field: string, filed: string | null): string | null {
		const value = shortText(filed, 60);
		return value === null ? null : (accessionNumber(value) ?? this.#leaveOut(field, value));
	}

	/** The year where it is given, else the words of the form. */
	yearOfInc({ yearOfInc, yearOfIncChoice }: FiledFormD): string | null {
		const year = shortText(yearOfInc, 40);
		if (year !== null) {
			const plausible =
				/^\d{4}$/.test(year) && year >= "1700" && Number(year) <= this.#context.now.getUTCFullYear() + 1;
			return plausible ? year : this.#leaveOut("year of incorporation", year);
		}
		const choice = shortText(yearOfIncChoice, 40)?.toLowerCase().replaceAll(" ", "");
		if (choice === "overfiveyears") return "Over Five Years Ago";
		return choice === "yettobeformed" ? "Yet to Be Formed" : null;
	}

	#leaveOut(field: string, value: string): null {
		this.#context.account.note(`${field} is not plausible and was left out`, `${this.#accession}: ${value}`);
		return null;
	}
}

/** Each once, whatever its case; "None" stands for an empty list. */
function previousNames(filed: readonly (string | null)[]): string[] {
	const names = new Map<string, string>();
	for (const one of filed.slice(0, 20)) {
		const name = shortText(one);
		const key = name?.toLowerCase() ?? "none";
		if (name !== null && key !== "none" && !names.has(key)) names.set(key, name);
	}
	return [...names.values()];
}

function joined(parts: readonly (string | null)[], between: string, max: number): string | null {
	const known = parts.map((part) => shortText(part, max)).filter((part) => part !== null);
	return known.length === 0 ? null : clip(known.join(between), max);
}

export interface FiledPerson {
	first: string | null;
	middle: string | null;
	last: string | null;
	relationships: (string | null)[];
	city: string | null;
	/** SEC's code. */
	state: string | null;
}

/** The form has room for 100 persons; co-issuers repeat theirs. */
const maxPersons = 400;

/** What filers write into a part that a company does not have. A part without a letter or digit (`-`, `*`, `.`) is one too. */
const placeholder = /^(n\s?[/.]\s?a\.?|none|not applicable)$/i;

const legalSuffix =
	/^(the )?(l\.?l\.?c\.?|l\.?l\.?l?\.?p\.?|l\.?p\.?|inc\.?|incorporated|ltd\.?|limited|corp\.?|corporation|co\.?|company|plc|p\.?c\.?|s\.?[aà]\.?( r\.?l\.?)?|s\.?[aà]\.?r\.?l\.?|gmbh|n\.?v\.?|b\.?v\.?|trust|gp|lp|llc|limited partnership|limited liability company)$/i;

/** The persons with a name; placeholders are left out (fact sheet, 1.2). */
export function relatedPersons(filed: readonly FiledPerson[]): FormD["relatedPersons"] {
	const persons: FormD["relatedPersons"] = [];
	for (const person of filed.slice(0, maxPersons)) {
		const name = personName(person);
		if (name === null) continue;
		persons.push({
			name,
			relationships: person.relationships
				.map((relationship) => shortText(relationship))
				.filter((one) => one !== null)
				.slice(),
			city: shortText(person.city),
			state: shortText(person.state, 20),
		});
	}
	// Without the room that a growing array keeps in reserve: a data set holds half a million persons.
	return persons.slice();
}

/** First, middle and last name in this order, but a legal form filed as the first name goes to the end. */
function personName({ first, middle, last }: FiledPerson): string | null {
	const given = part(first);
	const family = part(last);
	// "NA" is a name of people too: it is a placeholder only beside a company's.
	const filler = given?.toUpperCase() === "NA" && family !== null && endsLegally(family);
	const parts = [filler ? null : given, part(middle), family].filter((one) => one !== null);
	if (given !== null && family !== null && legalSuffix.test(given)) {
		parts.shift();
		parts.push(given);
	}
	return parts.length === 0 ? null : parts.join(" ");
}

function part(value: string | null): string | null {
	const name = shortText(value, 150);
	return name === null || placeholder.test(name) || !/[\p{L}\p{N}]/u.test(name) ? null : name;
}

function endsLegally(name: string): boolean {
	return legalSuffix.test(name.split(/[\s,]+/).at(-1) ?? "");
}
