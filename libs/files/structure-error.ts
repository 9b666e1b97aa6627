/** The file does not have the expected structure: all of it is refused. The message is for the operator of this service. */
export class StructureError extends Error {
	override name = "StructureError";
}
