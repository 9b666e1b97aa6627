/** Thrown if a file does not have the expected structure and is refused as a whole. The message is for the operator of this service. */
export class StructureError extends Error {
	override name = "StructureError";
}
