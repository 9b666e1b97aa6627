/** Method and path of an operation. */
export interface Route {
	method: string;
	path: string;
	/** Whether the operation is a list that accepts `cursor`. */
	isList?: true;
	/** Whether the operation is a POST that changes nothing, so that it may be retried. */
	isRead?: true;
}
