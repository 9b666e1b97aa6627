/** Collects the filings of EDGAR's feeds and search results, each once, and accounts for every row. Pure. */
import { date } from "#libs/files/values.ts";
import { Account } from "../records/account.ts";
import { parseAccessionNumber, parseCik, shortText } from "../records/fields.ts";
import type { EightK, IndexedFiling, Parsed } from "../records/records.ts";

/** A row of a feed before validation. */
export interface FiledRow {
	accessionNumber: string | null;
	form: string | null;
	filingDate: string | null;
	reportDate: string | null;
	items: string[];
	document: string | null;
	dealText: boolean | null;
	subsidiaryBankruptcy: boolean | null;
	companies: FiledCompany[];
}

export interface FiledCompany {
	cik: string | null;
	name: string | null;
	sic: string | null;
	fileNumber: string | null;
}

export interface EdgarFilings {
	/** Forms 8-K and 8-K/A. The counts include rows of all forms except D and D/A. */
	filings: Parsed<EightK>;
	/** Forms D and D/A. */
	index: Parsed<IndexedFiling>;
}

const wantedForms: ReadonlySet<string> = new Set(["8-K", "8-K/A", "D", "D/A"]);
const maxItems = 40;
const maxCompanies = 100;

/**
 * Merges the rows of a filing in any order. The record names the company with the lowest CIK, which registered first and is usually the
 * parent of a group. The other companies are co-filers.
 */
export class FilingCollector {
	readonly #latest: string;
	readonly #filings = new Account();
	readonly #index = new Account();
	readonly #eightKs = new Map<string, EightK>();
	readonly #formDs = new Map<string, EightK>();

	/** Rows with a filing date more than a day after `now` are dropped. */
	constructor(now: Date) {
		this.#latest = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
	}

	/** `location` identifies a row without an accession number ("page.xml: entry 3"). `refusal`: reason to drop a row of a wanted form. */
	add(row: FiledRow, location: string, refusal: string | null = null): void {
		const form = shortText(row.form, 40) ?? "";
		const isFormD = form === "D" || form === "D/A";
		const account = isFormD ? this.#index : this.#filings;
		account.rowsIn++;
		const filingsOrReason = this.#check(row, form, refusal);
		const why =
			typeof filingsOrReason === "string"
				? filingsOrReason
				: this.#merge(isFormD ? this.#formDs : this.#eightKs, filingsOrReason);
		if (why !== null) account.drop(why, row.accessionNumber ?? location);
	}

	drop(reason: string, example: string): void {
		this.#filings.rowsIn++;
		this.#filings.drop(reason, example);
	}

	result(): EdgarFilings {
		return {
			filings: this.#filings.finish([...this.#eightKs.values()]),
			index: this.#index.finish([...this.#formDs.values()].map(toIndexed)),
		};
	}

	/** Returns the filing once for each of its companies, or the reason to drop the row. */
	#check(row: FiledRow, form: string, refusal: string | null): FilingsOfCompanies | string {
		if (!/^[\w /.&-]{1,20}$/.test(form)) return "the form is missing or unreadable";
		if (!wantedForms.has(form)) return `form ${form} is neither 8-K nor D`;
		if (refusal !== null) return refusal;
		const accession = parseAccessionNumber(row.accessionNumber);
		if (accession === null) return "no valid accession number";
		const filingDate = date(row.filingDate?.slice(0, 40));
		if (filingDate === null) return "no readable filing date";
		if (filingDate > this.#latest) return "the filing date is in the future";
		const { reportDate, items, document, dealText, subsidiaryBankruptcy } = row;
		const [first, ...others] = row.companies.slice(0, maxCompanies).flatMap((company): EightK[] => {
			const number = parseCik(company.cik);
			if (number === null) return [];
			return [
				{
					accessionNumber: accession,
					cik: number,
					company: shortText(company.name, 200) ?? "",
					coFilers: [],
					form,
					filingDate,
					fileNumber: shortText(company.fileNumber, 40),
					reportDate: date(reportDate?.slice(0, 40)),
					items: items.slice(0, maxItems),
					sic: parseSic(company.sic),
					url: archiveUrl(number, accession, document),
					dealText,
					subsidiaryBankruptcy,
				},
			];
		});
		return first === undefined ? "no company number (CIK)" : [first, ...others];
	}

	/** Stores or merges the filing. Returns null if it is new, otherwise the reason why the row counts as dropped. */
	#merge(records: Map<string, EightK>, filed: FilingsOfCompanies): string | null {
		const { accessionNumber } = filed[0];
		const knownFiling = records.get(accessionNumber);
		let merged = knownFiling ?? filed[0];
		for (const filing of filed) {
			const [base, other] = Number(merged.cik) <= Number(filing.cik) ? [merged, filing] : [filing, merged];
			merged = completeFrom(base, other);
		}
		records.set(accessionNumber, merged);
		if (knownFiling === undefined) return null;
		const isSameCompany = filed.some(({ cik }) => cik === knownFiling.cik);
		return `${isSameCompany ? "another row" : "a further company"} of a listed filing`;
	}
}

type FilingsOfCompanies = [EightK, ...EightK[]];

function parseSic(sic: string | null): string | null {
	const code = shortText(sic, 10) ?? "";
	return /^\d{3,4}$/.test(code) && Number(code) > 0 ? code : null;
}

/** Completes the base with values of the other row. Values of the company are taken only if both rows name the same company. */
function completeFrom(base: EightK, other: EightK): EightK {
	const isSameCompany = base.cik === other.cik;
	const coFilers = new Map([...base.coFilers, ...other.coFilers].map((coFiler) => [coFiler.cik, coFiler]));
	if (!isSameCompany) coFilers.set(other.cik, { cik: other.cik, company: other.company });
	return {
		...base,
		coFilers: [...coFilers.values()],
		company: base.company || (isSameCompany ? other.company : ""),
		fileNumber: base.fileNumber ?? (isSameCompany ? other.fileNumber : null),
		sic: base.sic ?? (isSameCompany ? other.sic : null),
		reportDate: base.reportDate ?? other.reportDate,
		items: base.items.length >= other.items.length ? base.items : other.items,
		url: isIndexPage(base.url) ? other.url : base.url,
		dealText: base.dealText ?? other.dealText,
		subsidiaryBankruptcy: base.subsidiaryBankruptcy ?? other.subsidiaryBankruptcy,
	};
}

function toIndexed({ accessionNumber, cik, company, form, filingDate, fileNumber }: EightK): IndexedFiling {
	return { accessionNumber, cik, company, form, filingDate, fileNumber };
}

/** URL of the primary document if its name is known and safe in a URL, otherwise of the filing's index page. */
function archiveUrl(cik: string, accessionNumber: string, document: string | null): string {
	const folder = `https://www.sec.gov/Archives/edgar/data/${cik}/${accessionNumber.replaceAll("-", "")}`;
	const isSafeName = document !== null && /^[\w-][\w.-]{0,120}$/.test(document);
	return `${folder}/${isSafeName ? document : `${accessionNumber}-index.htm`}`;
}

export function isIndexPage(url: string): boolean {
	return url.endsWith("-index.htm");
}
