/** Method and path of an operation. */
export interface Route {
	method: string;
	path: string;
	/** The list accepts `cursor`. */
	isList?: true;
	/** A POST that changes nothing, so it may be retried. */
	isRead?: true;
}
