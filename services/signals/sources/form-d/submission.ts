/** A Form D in EDGAR's full-submission wrapper: the header knows what `primary_doc.xml` does not. Pure. */
import { peek } from "#libs/files/decode.ts";
import type { FormD } from "../../domain/parsed.ts";
import { Account, type ParsedWithNotes } from "../account.ts";
import { readSubmissionHeader } from "../edgar/sgml.ts";
import { readPrimaryDoc } from "./primary-doc.ts";

/** One filing, or the reason why it is none. Throws `StructureError` for a cut wrapper or document. */
export function readSubmission(bytes: Uint8Array, source: { name: string; now: Date }): ParsedWithNotes<FormD> {
	const header = readSubmissionHeader(bytes, source.name);
	const document = header.documents.find(
		({ type, start, end }) =>
			/^D(\/A)?$/.test(type) && peek(bytes.subarray(start, end), 1024).includes("<edgarsubmission"),
	);
	if (!document) {
		const account = new Account();
		account.rowsIn = 1;
		account.drop(`a submission of form ${header.form} without the XML document of a Form D`, header.accessionNumber);
		return account.parsed([]);
	}
	return readPrimaryDoc(bytes.subarray(document.start, document.end), {
		...source,
		accessionNumber: header.accessionNumber,
		filingDate: header.filingDate,
		fileNumber: header.companies.find(({ fileNumber }) => fileNumber?.startsWith("021-"))?.fileNumber ?? null,
	});
}
