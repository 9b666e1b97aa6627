/** Test support: an invented Form D in the real layout, whose parts a test replaces. */

export interface SampleParts {
	type: string;
	testOrLive: string;
	cik: string;
	name: string;
	previousNames: string;
	yearOfInc: string;
	persons: string;
	amendment: string;
	firstSale: string;
	securities: string;
	offered: string;
	sold: string;
	signed: string;
}

const usual: SampleParts = {
	type: "D",
	testOrLive: "LIVE",
	cik: "0000123450",
	name: "Blue Jay Solar Holdings &amp; Partners, LLC",
	previousNames: "<value>None</value>",
	yearOfInc: "<withinFiveYears>true</withinFiveYears><value>2023</value>",
	persons: person("Ada", "Q.", "Marsh"),
	amendment: "<isAmendment>false</isAmendment>",
	firstSale: "<value>2026-02-03</value>",
	securities: "<isEquityType>true</isEquityType>",
	offered: "5000000",
	sold: "1250000",
	signed: "2026-02-10",
};

export const sampleNow = new Date("2026-11-20T12:00:00Z");

export function samplePrimaryDoc(changes: Partial<SampleParts> = {}): string {
	const parts = { ...usual, ...changes };
	return `<?xml version="1.0"?>
<edgarSubmission>
	<schemaVersion>X0708</schemaVersion>
	<submissionType>${parts.type}</submissionType>
	<testOrLive>${parts.testOrLive}</testOrLive>
	<primaryIssuer>
		<cik>${parts.cik}</cik>
		<entityName>${parts.name}</entityName>
		<issuerAddress><street1>1 Wren Street</street1><street2>Suite 2</street2><city>Austin</city><stateOrCountry>TX</stateOrCountry></issuerAddress>
		<jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
		<issuerPreviousNameList>${parts.previousNames}</issuerPreviousNameList>
		<edgarPreviousNameList><value>None</value></edgarPreviousNameList>
		<entityType>Limited Liability Company</entityType>
		<yearOfInc>${parts.yearOfInc}</yearOfInc>
	</primaryIssuer>
	<relatedPersonsList>${parts.persons}</relatedPersonsList>
	<offeringData>
		<industryGroup><industryGroupType>Other Energy</industryGroupType></industryGroup>
		<typeOfFiling>
			<newOrAmendment>${parts.amendment}</newOrAmendment>
			<dateOfFirstSale>${parts.firstSale}</dateOfFirstSale>
		</typeOfFiling>
		<typesOfSecuritiesOffered>${parts.securities}</typesOfSecuritiesOffered>
		<offeringSalesAmounts>
			<totalOfferingAmount>${parts.offered}</totalOfferingAmount>
			<totalAmountSold>${parts.sold}</totalAmountSold>
			<clarificationOfResponse>Units of 1 MW each</clarificationOfResponse>
		</offeringSalesAmounts>
		<signatureBlock><signature><signatureDate>${parts.signed}</signatureDate></signature></signatureBlock>
	</offeringData>
</edgarSubmission>
`;
}

export function person(first: string, middle: string, last: string): string {
	return `<relatedPersonInfo>
		<relatedPersonName><firstName>${first}</firstName><middleName>${middle}</middleName><lastName>${last}</lastName></relatedPersonName>
		<relatedPersonAddress><city>Austin</city><stateOrCountry>TX</stateOrCountry></relatedPersonAddress>
		<relatedPersonRelationshipList><relationship>Director</relationship><relationship>Promoter</relationship></relatedPersonRelationshipList>
	</relatedPersonInfo>`;
}

/** Number of rows that a result accounts for. */
export function countRows(parsed: { records: unknown[]; dropped: { count: number }[] }): number {
	return parsed.records.length + parsed.dropped.reduce((sum, { count }) => sum + count, 0);
}
