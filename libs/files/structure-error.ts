/** The file is not what it should be: it is refused whole, the data stays. The message is for the operator of this service. */
export class StructureError extends Error {
	override name = "StructureError";
}
