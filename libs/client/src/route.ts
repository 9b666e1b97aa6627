/** The HTTP route of an operation, and what may be done with it. */
export interface Route {
	method: string;
	path: string;
	/** Its list can be read from end to end with `cursor`. */
	isList?: true;
	/** A POST that changes nothing: it may be sent again. */
	isRead?: true;
}
