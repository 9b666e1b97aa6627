/** ERCOT's reports for months without a loaded list. Reads the requests that were approved or canceled, and those with the fuel "Other". */

import type { Status } from "#libs/contract/vocabulary.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { dateInName } from "../../../sources/as-of.ts";
import type { Dataset } from "../../../sources/dataset.ts";
import { replaceEdition } from "../../../sources/insert-rows.ts";
import { ercot } from "../ercot.ts";
import { documentPage } from "./documents.ts";

interface ReportRow {
	region: "ERCOT";
	key: string;
	type_std: string;
	status_std: Extract<Status, "Operational" | "Withdrawn"> | null;
	on_date: string | null;
}

export const ercotReports: Dataset<ReportRow> = {
	feed: "ercot-reports",
	database: "master",
	region: "ERCOT",
	title: "ERCOT, outcomes in reports of other months",
	layout: { formats: "xlsx, zip", verified: "2025-08-31" },
	publication: {
		title: "Generator Interconnection Status reports of months without a loaded list: outcomes",
		url: documentPage,
		cadence: "monthly",
	},
	maxAgeHours: 9_600,
	maxBytes: ercot.maxBytes,
	isUneven: true,
	recognises: ercot.recognises,
	async parse(file) {
		const { publishedOn, requests, rowsIn, dropped, unknownValues, unknownColumns } = await ercot.parse(file);
		const day = publishedOn ?? dateInName(file.name);
		if (day === null) throw new StructureError(`${file.name}: neither the report nor the file name states the month`);
		const rows = requests.flatMap(({ number, type, typeStd, statusStd, actualCod, withdrawnDate }): ReportRow[] => {
			const isOutcome = statusStd === "Operational" || statusStd === "Withdrawn";
			// For this fuel, which includes batteries, the outcome sheets contain only "Other"; the details sheets contain the technology.
			if (!isOutcome && !type?.startsWith("OTH")) return [];
			const status_std = isOutcome ? statusStd : null;
			const on_date = statusStd === "Operational" ? actualCod : statusStd === "Withdrawn" ? withdrawnDate : null;
			return [{ region: "ERCOT", key: ercot.key(number), type_std: typeStd, status_std, on_date }];
		});
		const openRequests = {
			reason: "open: only lists decide about it",
			count: requests.length - rows.length,
			examples: [],
		};
		const account = { rowsIn, dropped: [...dropped, openRequests], unknownValues, unknownColumns };
		return { ...account, edition: day, publishedOn: day, rows };
	},
	write: replaceEdition("request_reports"),
};
