/** Form D's `primary_doc.xml`, schemas X0603 to X0808. Pure. */
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../../records/account.ts";
import { accessionInName } from "../../records/fields.ts";
import type { FormD, Parsed } from "../../records/records.ts";
import { child, childrenOf, descend, readXmlTree, textOf, type XmlNode } from "../../records/xml-tree.ts";
import { type FiledFormD, type FiledPerson, toFormD } from "./filing.ts";

export interface PrimaryDocSource {
	/** File name or address. Its 18 digits are the accession number if `accessionNumber` is missing. */
	name: string;
	now: Date;
	accessionNumber?: string | null;
	/** YYYY-MM-DD or YYYYMMDD, from the index, feed or header. Without it the day of signature is used. */
	filingDate?: string | null;
	/** 021-..., from the header or data set: the document does not contain it. */
	fileNumber?: string | null;
}

/** A document has about 10 KB. One with 99 co-issuers and 100 persons has 200 KB. */
const limits = { maxBytes: 8 * 1024 * 1024, maxElements: 50_000, maxDepth: 32 };

/** Returns one filing, or the reason to drop it. Throws `StructureError` for anything but a complete Form D document. */
export function readPrimaryDoc(bytes: Uint8Array, source: PrimaryDocSource): Parsed<FormD> {
	if (isRendering(bytes, source.name)) {
		throw new StructureError(
			`${source.name}: is the filing's HTML rendering (xslFormDX01), not its primary_doc.xml; the XML lies one folder up`,
		);
	}
	const account = new Account();
	const root = readDocument(bytes, source.name, account);
	if (root.name !== "edgarSubmission") {
		throw new StructureError(`${source.name}: root element is <${root.name.slice(0, 60)}>, not <edgarSubmission>`);
	}
	account.rowsIn = 1;
	const filing = toFormD(filedFormD(root, source), { now: source.now, account, label: source.name });
	return account.parsed(filing === null ? [] : [filing]);
}

/** Filers' programs have left out the `>` of an end tag. A cut document lacks more than that and is refused. */
function readDocument(bytes: Uint8Array, name: string, account: Account): XmlNode {
	try {
		return readXmlTree(bytes, name, limits);
	} catch (error) {
		const filed = Buffer.from(bytes).toString("latin1");
		const mended = filed.replace(/<\/([\w:.-]+)[ \t\r\n]*(?=<)/g, "</$1>");
		if (!(error instanceof StructureError) || mended === filed) throw error;
		account.note("an end tag without its > was mended", name);
		return readXmlTree(Buffer.from(mended, "latin1"), name, limits);
	}
}

/** The page for people, at `.../xslFormDX01/primary_doc.xml`. */
export function isRendering(bytes: Uint8Array, name: string): boolean {
	const start = peek(bytes, 4096);
	return isHtml(start) && (/xslformd/i.test(name) || /\bform\s{0,3}d\b/.test(start));
}

function filedFormD(root: XmlNode, source: PrimaryDocSource): FiledFormD {
	const issuer = child(root, "primaryIssuer");
	const offering = child(root, "offeringData");
	const type = descend(offering, "typeOfFiling");
	const address = child(issuer, "issuerAddress");
	return {
		accessionNumber: source.accessionNumber ?? accessionInName(source.name),
		filingDate: source.filingDate ?? null,
		signatureDates: childrenOf(child(offering, "signatureBlock"), "signature").map((one) =>
			textOf(one, "signatureDate"),
		),
		fileNumber: source.fileNumber ?? null,
		submissionType: textOf(root, "submissionType"),
		testOrLive: textOf(root, "testOrLive"),
		isAmendment: textOf(type, "newOrAmendment", "isAmendment"),
		previousAccessionNumber: textOf(type, "newOrAmendment", "previousAccessionNumber"),
		cik: textOf(issuer, "cik"),
		issuerName: textOf(issuer, "entityName"),
		previousNames: previousNames(issuer),
		entityType: textOf(issuer, "entityType"),
		jurisdiction: textOf(issuer, "jurisdictionOfInc"),
		streets: [textOf(address, "street1"), textOf(address, "street2")],
		city: textOf(address, "city"),
		state: textOf(address, "stateOrCountry"),
		...yearOfInc(child(issuer, "yearOfInc")),
		industryGroup: textOf(offering, "industryGroup", "industryGroupType"),
		totalOfferingAmount: textOf(offering, "offeringSalesAmounts", "totalOfferingAmount"),
		totalAmountSold: textOf(offering, "offeringSalesAmounts", "totalAmountSold"),
		dateOfFirstSale: textOf(type, "dateOfFirstSale", "value"),
		isEquity: textOf(offering, "typesOfSecuritiesOffered", "isEquityType"),
		isDebt: textOf(offering, "typesOfSecuritiesOffered", "isDebtType"),
		persons: childrenOf(child(root, "relatedPersonsList"), "relatedPersonInfo").map(filedPerson),
		clarifications: [
			textOf(offering, "typesOfSecuritiesOffered", "descriptionOfOtherType"),
			textOf(offering, "businessCombinationTransaction", "clarificationOfResponse"),
			textOf(offering, "offeringSalesAmounts", "clarificationOfResponse"),
			textOf(offering, "salesCommissionsFindersFees", "clarificationOfResponse"),
			textOf(offering, "useOfProceeds", "clarificationOfResponse"),
		],
	};
}

/** Names belong into `previousName`; some forms have them in `value`, which the schema reserves for "None", or directly in the list. */
function previousNames(issuer: XmlNode | null): (string | null)[] {
	const lists = [child(issuer, "issuerPreviousNameList"), child(issuer, "edgarPreviousNameList")];
	return lists.flatMap((list) =>
		[list, ...(list?.children ?? [])].flatMap((one) => [textOf(one), textOf(one, "value")]),
	);
}

function yearOfInc(node: XmlNode | null): Pick<FiledFormD, "yearOfInc" | "yearOfIncChoice"> {
	const choice = ["overFiveYears", "yetToBeFormed"].find((name) => textOf(node, name) === "true") ?? null;
	return { yearOfInc: textOf(node, "value"), yearOfIncChoice: choice };
}

function filedPerson(node: XmlNode): FiledPerson {
	const name = child(node, "relatedPersonName");
	const address = child(node, "relatedPersonAddress");
	const relationships = childrenOf(child(node, "relatedPersonRelationshipList"), "relationship");
	return {
		first: textOf(name, "firstName"),
		middle: textOf(name, "middleName"),
		last: textOf(name, "lastName"),
		relationships: relationships.slice(0, 10).map((relationship) => textOf(relationship)),
		city: textOf(address, "city"),
		state: textOf(address, "stateOrCountry"),
	};
}
