/** Reads Form D's `primary_doc.xml`, schemas X0603 to X0808. Pure. */
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../../records/account.ts";
import { findAccessionNumber } from "../../records/fields.ts";
import type { FormD, Parsed } from "../../records/records.ts";
import { childrenOf, findChild, findDescendant, readXmlTree, textOf, type XmlNode } from "../../records/xml-tree.ts";
import { type FiledFormD, type FiledPerson, toFormD } from "./filing.ts";

interface PrimaryDocSource {
	/** File name or address. Must contain the accession number (18 digits) if `accessionNumber` is missing. */
	name: string;
	now: Date;
	accessionNumber?: string | null;
	/** YYYY-MM-DD or YYYYMMDD, from an index, a feed or a header. Default: the day of signature. */
	filingDate?: string | null;
	/** 021-..., from the header or data set: the document does not contain it. */
	fileNumber?: string | null;
}

/** A document is about 10 KB; one with 99 co-issuers and 100 persons is 200 KB. */
const limits = { maxBytes: 8 * 1024 * 1024, maxElements: 50_000, maxDepth: 32 };

/** Returns one filing, or the reason why it was dropped. @throws StructureError unless the file is a complete Form D document */
export function readPrimaryDoc(bytes: Uint8Array, source: PrimaryDocSource): Parsed<FormD> {
	if (isRendering(bytes, source.name)) {
		throw new StructureError(
			`${source.name}: is the filing's HTML rendering (xslFormDX01), not its primary_doc.xml, which is one folder up`,
		);
	}
	const account = new Account();
	const root = readDocument(bytes, source.name, account);
	if (root.name !== "edgarSubmission") {
		throw new StructureError(`${source.name}: the root element is <${root.name.slice(0, 60)}>, not <edgarSubmission>`);
	}
	account.rowsIn = 1;
	const filing = toFormD(readFormValues(root, source), { now: source.now, account, label: source.name });
	return account.finish(filing === null ? [] : [filing]);
}

/** Repairs end tags without `>`, which some filers' programs write. A truncated document lacks more than that and is refused. */
function readDocument(bytes: Uint8Array, name: string, account: Account): XmlNode {
	try {
		return readXmlTree(bytes, name, limits);
	} catch (error) {
		const original = Buffer.from(bytes).toString("latin1");
		const repaired = original.replace(/<\/([\w:.-]+)[ \t\r\n]*(?=<)/g, "</$1>");
		if (!(error instanceof StructureError) || repaired === original) throw error;
		account.note('an end tag without ">" was repaired', name);
		return readXmlTree(Buffer.from(repaired, "latin1"), name, limits);
	}
}

/** Whether the file is the HTML page for human readers, at `.../xslFormDX01/primary_doc.xml`. */
export function isRendering(bytes: Uint8Array, name: string): boolean {
	const start = peek(bytes, 4096);
	return isHtml(start) && (/xslformd/i.test(name) || /\bform\s{0,3}d\b/.test(start));
}

function readFormValues(root: XmlNode, source: PrimaryDocSource): FiledFormD {
	const issuer = findChild(root, "primaryIssuer");
	const offering = findChild(root, "offeringData");
	const type = findDescendant(offering, "typeOfFiling");
	const address = findChild(issuer, "issuerAddress");
	return {
		accessionNumber: source.accessionNumber ?? findAccessionNumber(source.name),
		filingDate: source.filingDate ?? null,
		signatureDates: childrenOf(findChild(offering, "signatureBlock"), "signature").map((one) =>
			textOf(one, "signatureDate"),
		),
		fileNumber: source.fileNumber ?? null,
		submissionType: textOf(root, "submissionType"),
		testOrLive: textOf(root, "testOrLive"),
		isAmendment: textOf(type, "newOrAmendment", "isAmendment"),
		previousAccessionNumber: textOf(type, "newOrAmendment", "previousAccessionNumber"),
		cik: textOf(issuer, "cik"),
		issuerName: textOf(issuer, "entityName"),
		previousNames: readPreviousNames(issuer),
		entityType: textOf(issuer, "entityType"),
		jurisdiction: textOf(issuer, "jurisdictionOfInc"),
		streets: [textOf(address, "street1"), textOf(address, "street2")],
		city: textOf(address, "city"),
		state: textOf(address, "stateOrCountry"),
		...readYearOfInc(findChild(issuer, "yearOfInc")),
		industryGroup: textOf(offering, "industryGroup", "industryGroupType"),
		totalOfferingAmount: textOf(offering, "offeringSalesAmounts", "totalOfferingAmount"),
		totalAmountSold: textOf(offering, "offeringSalesAmounts", "totalAmountSold"),
		dateOfFirstSale: textOf(type, "dateOfFirstSale", "value"),
		isEquity: textOf(offering, "typesOfSecuritiesOffered", "isEquityType"),
		isDebt: textOf(offering, "typesOfSecuritiesOffered", "isDebtType"),
		persons: childrenOf(findChild(root, "relatedPersonsList"), "relatedPersonInfo").map(readPerson),
		clarifications: [
			textOf(offering, "typesOfSecuritiesOffered", "descriptionOfOtherType"),
			textOf(offering, "businessCombinationTransaction", "clarificationOfResponse"),
			textOf(offering, "offeringSalesAmounts", "clarificationOfResponse"),
			textOf(offering, "salesCommissionsFindersFees", "clarificationOfResponse"),
			textOf(offering, "useOfProceeds", "clarificationOfResponse"),
		],
	};
}

/** Names belong in `previousName`. Some filings put them in `value`, which the schema reserves for "None", or directly in the list. */
function readPreviousNames(issuer: XmlNode | null): (string | null)[] {
	const lists = [findChild(issuer, "issuerPreviousNameList"), findChild(issuer, "edgarPreviousNameList")];
	return lists.flatMap((list) =>
		[list, ...(list?.children ?? [])].flatMap((one) => [textOf(one), textOf(one, "value")]),
	);
}

function readYearOfInc(node: XmlNode | null): Pick<FiledFormD, "yearOfInc" | "yearOfIncChoice"> {
	const choice = ["overFiveYears", "yetToBeFormed"].find((name) => textOf(node, name) === "true") ?? null;
	return { yearOfInc: textOf(node, "value"), yearOfIncChoice: choice };
}

function readPerson(node: XmlNode): FiledPerson {
	const name = findChild(node, "relatedPersonName");
	const address = findChild(node, "relatedPersonAddress");
	const relationships = childrenOf(findChild(node, "relatedPersonRelationshipList"), "relationship");
	return {
		first: textOf(name, "firstName"),
		middle: textOf(name, "middleName"),
		last: textOf(name, "lastName"),
		relationships: relationships.slice(0, 10).map((relationship) => textOf(relationship)),
		city: textOf(address, "city"),
		state: textOf(address, "stateOrCountry"),
	};
}
