/** Answers of a past day that are made of two owners' data: good as long as both are what they were. */
import { type OperationName, type OperationShape, type Owner, operations } from "#libs/contract/index.ts";

/**
 * The data version of the other owner; undefined where the answer has none, NaN, which equals nothing, where it is not known. `current`: of an
 * owner.
 */
export function otherVersion(
	name: OperationName,
	params: { as_of?: unknown; from?: unknown },
	current: (owner: Owner) => number | undefined,
): number | undefined {
	const { ofDayWith }: OperationShape = operations[name];
	const isOfDay = params.as_of !== undefined || params.from !== undefined;
	return ofDayWith === undefined || !isOfDay ? undefined : (current(ofDayWith) ?? Number.NaN);
}
