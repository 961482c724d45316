/** The service in all samples. Pages that the service serves show its own address instead. */
export const SERVICE = 'http://127.0.0.1:8080';
