/**
 * Advice for Firefox on the machine of the service: Firefox connects no media to loopback
 * addresses, and `npm start` listens there. The sentence follows others, because the media server
 * may be away as well. Empty in other browsers and on other machines.
 */
export function localFirefoxAdvice(): string {
  if (!/\bFirefox\//.test(navigator.userAgent)) return '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)) return '';
  return ' Firefox does not connect to a media server on its own machine. Use another browser, or set media.peerconnection.ice.loopback to true in about:config.';
}
