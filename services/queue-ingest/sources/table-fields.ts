/** The fields of a table as an adapter declares them, and the conversion of a row into a request. Pure. */
import { type FiledField, filedFields } from "#libs/contract/records/project.ts";
import type { Status } from "#libs/contract/vocabulary.ts";
import type { Field, FieldCells, Read } from "./filed-cells.ts";
import { type Camel, type FiledRequest, toCamelCase } from "./source.ts";

/** Without `read`, the value comes from several rows. Without cells, the provenance contains no cell. */
interface DeclaredField<Value, Facts> extends Partial<FieldCells> {
	read?: Read<Value, Facts>;
}

type ValueOf<Name extends string> = Camel<Name> extends keyof FiledRequest ? FiledRequest[Camel<Name>] : never;

/** The fields of one table, each declared once. Fields that an operator does not publish are left out. */
export type TableFields<Facts = void> = {
	[Name in Exclude<FiledField, "queue_id"> | "unit" | "partial"]?: DeclaredField<ValueOf<Name>, Facts>;
} & {
	/** A row without a number is not a request and is not read further. */
	queue_id: Field<string | null>;
	status_std: { read: Read<Status, Facts> };
	construction_stage?: FieldCells;
};

type OtherMember = "number" | "evidence" | "raw" | "origins";

export function rowReader<Facts>(fields: TableFields<Facts>): Read<Omit<FiledRequest, OtherMember>, Facts> {
	const readers = Object.entries<DeclaredField<unknown, Facts>>(fields).flatMap(([name, { read }]) =>
		read === undefined || name === "queue_id" ? [] : [[toCamelCase(name), read] as const],
	);
	return (row, facts) => {
		const values = Object.fromEntries(readers.map(([name, read]) => [name, read(row, facts)]));
		return { ...emptyRequest, ...(values as Pick<FiledRequest, "statusStd">) };
	};
}

/** Only the number and the status are required. */
const optionalFields = filedFields.filter((name) => name !== "queue_id" && name !== "status_std");

const emptyRequest = {
	...Object.fromEntries(optionalFields.map((name) => [toCamelCase(name), null])),
	unit: null,
	kind: "generation",
	typeStd: "Unknown",
	requestClass: "new",
	capacityBasis: "injection_limit",
	statusBasis: "filed",
	partial: false,
} as unknown as Omit<FiledRequest, "number" | "statusStd" | "evidence" | "raw" | "origins">;
